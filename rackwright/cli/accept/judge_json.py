"""Writes the verdicts of a large site as JSON, part by part: all of them at once would not fit into memory.

Forked processes put the parts into words. A process that has looked at a finding has its own copy of that page of memory, so that new
processes are started for every few parts.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from rackwright.model.verdict import Finding, Outcome

if TYPE_CHECKING:
    from rackwright.judge.judgement import Judgement

BEFORE, AFTER = ("outcome", "observed", "expected", "source"), ("next_step", "value", "unit", "limit", "metric", "key")
"""Fields of a verdict before and after its sentence."""
INDENT = "      "
AT_ONCE = 4096
"""Verdicts of a part: some 4 MB of text."""
PARTS = 32
"""Parts that the same processes put into words."""
Part = tuple[str, Counter[Outcome]]
"""Verdicts as JSON, and how many have each outcome."""
_SHARED: list[Judgement] = []
"""Set before the processes are forked; nothing of it is sent."""


def write_verdicts(
    write: Callable[[str], Any], basis: Mapping[str, Any], judgement: Judgement, processes: int | None = None
) -> Counter[Outcome]:
    """Write ``{"basis": ..., "verdicts": [...]}``, the same bytes as `output.emit` with all verdicts; returns the written outcomes.

    `processes` defaults to the processors of this machine.
    """
    head, _, end = json.dumps({"basis": basis, "verdicts": []}, indent=2, default=str).rpartition("[]")
    counts: Counter[Outcome] = Counter()
    for text, outcomes in _parts(judgement, processes or os.cpu_count() or 1):
        write(",\n" if counts else f"{head}[\n")
        write(text)
        counts.update(outcomes)
    write(f"\n  ]{end}\n" if counts else f"{head}[]{end}\n")
    return counts


def _parts(judgement: Judgement, processes: int) -> Iterator[Part]:
    """All parts, in order."""
    starts = range(0, len(judgement.rows), AT_ONCE)
    _SHARED[:] = [judgement]
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
    """The verdicts from a place on."""
    from rackwright.judge.judgement import full_finding  # heavy; --help does not need it
    from rackwright.judge.node_view import SUBJECT, sentence

    [judgement] = _SHARED
    texts: dict[int, tuple[Finding, str, str]] = {}
    titles = {name: quoted(check.title) for name, check in judgement.checks.items()}
    outcomes: Counter[Outcome] = Counter()
    verdicts = []
    for node, name, finding, raw in judgement.rows[start : start + AT_ONCE]:
        if id(finding) not in texts:
            full = full_finding(SUBJECT, name, finding)
            texts[id(finding)] = full, _fields(full, BEFORE), _fields(full, AFTER)
        full, before, after = texts[id(finding)]
        outcomes[full.outcome] += 1
        verdicts.append(
            f'    {{\n{INDENT}"check": {quoted(name)},\n{INDENT}"target": {quoted(node)},\n{INDENT}"title": {titles[name]},\n'
            f'{before}{INDENT}"says": {quoted(sentence(full, node))},\n{after}{INDENT}"evidence": {_evidence(raw or "")}\n    }}'
        )
    return ",\n".join(verdicts), outcomes


def _fields(finding: Finding, names: tuple[str, ...]) -> str:
    """Some fields of a finding as lines of a JSON object."""
    return "".join([f'{INDENT}"{name}": {_value(getattr(finding, name))},\n' for name in names])


def _value(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    # Python's own encoder indents ten times as slowly as the one in C writes a line.
    return (
        json.dumps(value, indent=2).replace("\n", f"\n{INDENT}")
        if isinstance(value, dict) and value
        else json.dumps(value)
    )


@lru_cache(maxsize=4096)
def _evidence(raw: str) -> str:
    hashes = ",".join([f"\n{INDENT}  {quoted(content)}" for content in raw.split()])
    return f"[{hashes}\n{INDENT}]" if hashes else "[]"
