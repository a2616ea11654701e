"""Writes the verdicts of a large site as JSON, part by part: all of them at once would not fit into memory.

The judging processes word their findings (`Spool`) and write the text to files, a gigabyte or two in all. Verdicts on single nodes and of fleet
checks are merged at the end.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.cli.accept.verdict_json import BETWEEN, NodeTexts, VerdictTexts
from rackwright.model.check import AnyCheck, FleetCheck

if TYPE_CHECKING:
    from rackwright.judge.engine import Row
    from rackwright.judge.judgement import Judgement


class NodeText(NamedTuple):
    """Location of the verdicts of single checks on a node in a file."""

    node: str
    path: str
    start: int
    lengths: tuple[int, ...]
    """In bytes, of the verdicts before each fleet check, and after the last one."""


class ComparisonTexts(NamedTuple):
    """Location of the verdicts of a fleet check in a file, node after node."""

    check: str
    path: str
    start: int
    lengths: dict[str, int]
    """In bytes, by node in design order."""


class Spool:
    """Files of verdicts as JSON, one per process."""

    def __init__(self, folder: Path, checks: Mapping[str, AnyCheck]) -> None:
        self._folder = folder
        self._node_texts, self._texts = NodeTexts(checks, fleet_names(checks)), VerdictTexts(checks)

    def of_nodes(self, rows: Sequence[Row]) -> list[NodeText]:
        """Write the verdicts of some nodes. OutsideError if the disk is full or not writable."""
        by_node: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_node[row[0]].append(row)
        with self._file() as file:
            return [self._put_node(file, node, some) for node, some in by_node.items()]

    def of_comparison(self, rows: Sequence[Row]) -> ComparisonTexts | None:
        """Write the verdicts of a fleet check; None without any. OutsideError if the disk is full or not writable."""
        if not rows:
            return None
        texts = [self._texts.text(row) for row in rows]
        with self._file() as file:
            start = file.tell()
            file.write("".join(texts).encode("ascii"))
            lengths = {row[0]: len(text) for row, text in zip(rows, texts, strict=True)}
            return ComparisonTexts(rows[0][1], file.name, start, lengths)

    @contextmanager
    def _file(self) -> Iterator[BinaryIO]:
        try:
            with (self._folder / str(os.getpid())).open("ab") as file:
                yield file
        except OSError as error:
            raise OutsideError(
                f"{self._folder} cannot take the verdicts ({error.strerror}): name a folder with some gigabytes in TMPDIR"
            ) from error

    def _put_node(self, file: BinaryIO, node: str, rows: list[Row]) -> NodeText:
        texts = self._node_texts.of_node(node, rows)
        start = file.tell()
        file.write("".join(texts).encode("ascii"))
        return NodeText(node, file.name, start, tuple(map(len, texts)))


def fleet_names(checks: Mapping[str, AnyCheck]) -> list[str]:
    """The ids of the checks that compare nodes, in their order."""
    return sorted(name for name, check in checks.items() if isinstance(check, FleetCheck))


def write_verdicts(write: Callable[[bytes], Any], basis: Mapping[str, Any], judgement: Judgement) -> None:
    """Write ``{"basis": ..., "verdicts": [...]}``, the same bytes as `output.emit` with all verdicts.

    `judgement` must come from a `Spool` whose files still exist.
    """
    head, _, end = json.dumps({"basis": basis, "verdicts": []}, indent=2, default=str).rpartition("[]")
    written = False
    for text in _texts(judgement):
        write(BETWEEN.encode() if written else f"{head}[\n".encode())
        write(text)
        written = True
    write(f"\n  ]{end}\n".encode() if written else f"{head}[]{end}\n".encode())


def _texts(judgement: Judgement) -> Iterator[bytes]:
    """The verdicts on each node, in order, then those on each unit of the plant."""
    texts = {text.node: text for part in judgement.kept for text in part}
    with ExitStack() as stack:
        files = {path: stack.enter_context(Path(path).open("rb")) for path in {text.path for text in texts.values()}}
        compared = {
            comparison.check: _Comparison(stack.enter_context(Path(comparison.path).open("rb")), comparison)
            for comparison in judgement.kept_comparisons
        }
        in_order = [compared.get(check) for check in fleet_names(judgement.checks)]
        for node in judgement.order:
            fleet_texts = [comparison.text(node) if comparison else b"" for comparison in in_order]
            text = texts.get(node)
            pieces = _between(text, files[text.path], fleet_texts) if text else fleet_texts
            if joined := BETWEEN.encode().join(filter(None, pieces)):
                yield joined
    of_units = VerdictTexts(judgement.checks)
    for row in judgement.rows:
        yield of_units.text(row).encode("ascii")


class _Comparison:
    """The texts of a fleet check, read in the order of nodes."""

    def __init__(self, file: BinaryIO, texts: ComparisonTexts) -> None:
        file.seek(texts.start)
        self._file, self._lengths = file, texts.lengths

    def text(self, node: str) -> bytes:
        """The verdict on the next node; empty if the node was not compared."""
        return self._file.read(self._lengths.get(node, 0))


def _between(text: NodeText, file: BinaryIO, fleet_texts: Sequence[bytes]) -> Iterator[bytes | memoryview]:
    """The verdicts of single checks on a node, with those of fleet checks inserted in order."""
    content = memoryview(os.pread(file.fileno(), sum(text.lengths), text.start))
    place = 0
    for length, fleet_text in zip(text.lengths, (*fleet_texts, b""), strict=True):
        yield content[place : place + length]
        yield fleet_text
        place += length
