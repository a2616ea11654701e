"""Writes the verdicts of a large site as JSON, part by part: all of them at once would not fit into memory.

The processes that judge nodes put their findings into words (`Spool`), and leave the text in files: it is a gigabyte or two. What fleet
checks found is put into words by further processes, when all nodes have been compared; only that text is sent, and put between.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from itertools import groupby
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.cli.accept.verdict_json import BETWEEN, NodeTexts, VerdictTexts
from rackwright.model.check import AnyCheck, FleetCheck
from rackwright.model.verdict import Outcome

if TYPE_CHECKING:
    from rackwright.judge.engine import Row
    from rackwright.judge.judgement import Judgement

AT_ONCE = 64
"""Nodes whose findings of fleet checks are put into words at once: some 2 MB of text."""
PARTS = 16
"""Parts that the same processes put into words. A process that has looked at a finding has its own copy of that page of memory, so that new
processes are started for every few parts."""
LateTexts = list[bytes]
"""Of a node in a file: its verdict of each fleet check, empty where it has none; of another one all of its verdicts, one after the other."""
Part = tuple[list[LateTexts], Counter[Outcome]]
"""The texts of some nodes, and what their outcomes add to those that were counted: a finding that cannot be worded has another one."""


class NodeText(NamedTuple):
    """Where the verdicts of single checks on a node stand."""

    node: str
    path: str
    start: int
    lengths: tuple[int, ...]
    """In bytes, of the verdicts before each fleet check, and after the last one."""


class Spool:
    """Files of verdicts as JSON, one of each process."""

    def __init__(self, folder: Path, checks: Mapping[str, AnyCheck]) -> None:
        self._folder = folder
        self._texts = NodeTexts(checks, fleet_names(checks))

    def put(self, rows: Sequence[Row]) -> list[NodeText]:
        """Write the verdicts of some nodes. OutsideError when the disk takes no more."""
        by_node: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_node[row[0]].append(row)
        path = self._folder / str(os.getpid())
        try:
            with path.open("ab") as file:
                return [self._put_node(file, str(path), node, some) for node, some in by_node.items()]
        except OSError as error:
            raise OutsideError(
                f"{self._folder} cannot take the verdicts ({error.strerror}): name a folder with some gigabytes in TMPDIR"
            ) from error

    def _put_node(self, file: Any, path: str, node: str, rows: list[Row]) -> NodeText:
        texts = self._texts.of_node(node, rows)
        start = file.tell()
        file.write("".join(texts).encode("ascii"))
        return NodeText(node, path, start, tuple(map(len, texts)))


def fleet_names(checks: Mapping[str, AnyCheck]) -> list[str]:
    """The ids of the checks that compare nodes, in their order."""
    return sorted(name for name, check in checks.items() if isinstance(check, FleetCheck))


class _Shared(NamedTuple):
    """What all processes have from their parent."""

    judgement: Judgement
    fleet: Sequence[str]
    texts: Mapping[str, NodeText]
    rows: Mapping[str, Sequence[Row]]
    """Findings that are not in `texts`, by node."""
    order: Sequence[str]


_SHARED: list[_Shared] = []
"""Set before the processes are forked; nothing of it is sent."""


def write_verdicts(
    write: Callable[[bytes], Any], basis: Mapping[str, Any], judgement: Judgement, processes: int | None = None
) -> Counter[Outcome]:
    """Write ``{"basis": ..., "verdicts": [...]}``, the same bytes as `output.emit` with all verdicts; returns the written outcomes.

    What `judgement` kept is that of `Spool.put`, whose files are still there. `processes` defaults to the processors of this machine.
    """
    head, _, end = json.dumps({"basis": basis, "verdicts": []}, indent=2, default=str).rpartition("[]")
    counts = judgement.counts.copy()
    written = False
    for text in _node_texts(judgement, counts, processes or os.cpu_count() or 1):
        if text:
            write(BETWEEN.encode() if written else f"{head}[\n".encode())
            write(text)
            written = True
    write(f"\n  ]{end}\n".encode() if written else f"{head}[]{end}\n".encode())
    return +counts


def _node_texts(judgement: Judgement, counts: Counter[Outcome], processes: int) -> Iterator[bytes]:
    """The verdicts on each node, in order; `counts` are corrected on the way."""
    rows = {node: list(some) for node, some in groupby(judgement.rows, key=itemgetter(0))}
    texts = {text.node: text for part in judgement.kept for text in part}
    order = list(dict.fromkeys((*judgement.order, *rows)))
    shared = _Shared(judgement, fleet_names(judgement.checks), texts, rows, order)
    names = iter(order)
    with ExitStack() as stack:
        files = {path: stack.enter_context(Path(path).open("rb")) for path in {text.path for text in texts.values()}}
        for late_texts, changes in _parts(shared, processes):
            counts.update(changes)
            for late, name in zip(late_texts, names, strict=False):
                text = texts.get(name)
                yield BETWEEN.encode().join(
                    filter(None, late if text is None else _between(text, files[text.path], late))
                )


def _between(text: NodeText, file: BinaryIO, late: LateTexts) -> Iterator[bytes | memoryview]:
    """The verdicts of single checks in a file, and between them those of fleet checks."""
    content = memoryview(os.pread(file.fileno(), sum(text.lengths), text.start))
    place = 0
    for length, fleet_text in zip(text.lengths, (*late, b""), strict=True):
        yield content[place : place + length]
        yield fleet_text
        place += length


def _parts(shared: _Shared, processes: int) -> Iterator[Part]:
    """The texts of all nodes that are in no file, in order."""
    starts = range(0, len(shared.order), AT_ONCE)
    _SHARED[:] = [shared]
    try:
        if processes == 1 or len(starts) <= 1:
            yield from map(_part, starts)
            return
        for first in range(0, len(starts), PARTS):
            with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
                yield from pool.map(_part, starts[first : first + PARTS])
    finally:
        _SHARED.clear()


def _part(start: int) -> Part:
    """The texts of some nodes, from a place on."""
    [shared] = _SHARED
    verdict_texts, changes = VerdictTexts(shared.judgement.checks), Counter[Outcome]()
    names = shared.order[start : start + AT_ONCE]
    return [_late_texts(name, shared, verdict_texts, changes) for name in names], changes


def _late_texts(name: str, shared: _Shared, verdict_texts: VerdictTexts, changes: Counter[Outcome]) -> LateTexts:
    """The texts of one node."""
    rows: list[tuple[str, bytes]] = []
    for row in shared.rows.get(name, ()):
        full = verdict_texts.full(row)
        if full[2].outcome is not row[2].outcome:
            changes[row[2].outcome] -= 1
            changes[full[2].outcome] += 1
        rows.append((row[1], verdict_texts.text(full).encode()))
    if name not in shared.texts:
        return [text for _, text in rows]
    by_check = dict(rows)
    return [by_check.get(check, b"") for check in shared.fleet]
