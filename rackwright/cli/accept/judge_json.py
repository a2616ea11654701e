"""Writes the verdicts of a large site as JSON, one after the other: all of them at once would not fit into memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING, Any

from rackwright.model.lazy_finding import worded
from rackwright.model.verdict import Finding

if TYPE_CHECKING:
    from rackwright.judge.judgement import Judgement

BEFORE, AFTER = ("outcome", "observed", "expected", "source"), ("next_step", "value", "unit", "limit", "metric", "key")
"""Fields of a verdict before and after its sentence."""
INDENT = "      "
AT_ONCE = 1000
"""Verdicts that are written together."""


def write_verdicts(write: Callable[[str], Any], basis: Mapping[str, Any], judgement: Judgement) -> None:
    """Write ``{"basis": ..., "verdicts": [...]}``, the same bytes as `output.emit` with all verdicts."""
    head, _, end = json.dumps({"basis": basis, "verdicts": []}, indent=2, default=str).rpartition("[]")
    verdicts = _verdicts(judgement)
    first = next(verdicts, None)
    if first is None:
        write(f"{head}[]{end}\n")
        return
    write(f"{head}[\n{first}")
    while chunk := list(islice(verdicts, AT_ONCE)):
        write("".join([f",\n{verdict}" for verdict in chunk]))
    write(f"\n  ]{end}\n")


def _verdicts(judgement: Judgement) -> Iterator[str]:
    """Each verdict as JSON."""
    from rackwright.judge.node_view import sentence  # heavy; --help does not need it

    texts: dict[int, tuple[Finding, str, str]] = {}
    titles = {name: quoted(check.title) for name, check in judgement.checks.items()}
    for node, name, finding, raw in judgement.rows:
        full = worded(finding)
        if id(full) not in texts:
            texts[id(full)] = full, _fields(full, BEFORE), _fields(full, AFTER)
        _, before, after = texts[id(full)]
        yield (
            f'    {{\n{INDENT}"check": {quoted(name)},\n{INDENT}"target": {quoted(node)},\n{INDENT}"title": {titles[name]},\n'
            f'{before}{INDENT}"says": {quoted(sentence(full, node))},\n{after}{INDENT}"evidence": {_evidence(raw or "")}\n    }}'
        )


def _fields(finding: Finding, names: tuple[str, ...]) -> str:
    """Some fields of a finding as lines of a JSON object."""
    return "".join([f'{INDENT}"{name}": {_value(getattr(finding, name))},\n' for name in names])


def _value(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    return "null" if value is None else json.dumps(value, indent=2).replace("\n", f"\n{INDENT}")


@lru_cache(maxsize=4096)
def _evidence(raw: str) -> str:
    return json.dumps(raw.split(), indent=2).replace("\n", f"\n{INDENT}")
