"""Output of our jobs: one JSON object per line, between lines that libraries print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs import document

R = TypeVar("R")
Line = dict[str, Any]
KIND = "line"


def read(output: str, kinds: Sequence[str]) -> dict[str, list[Line]]:
    """The objects of each kind of `kinds`, without the key that names the kind; ParseError for a truncated object."""
    records: dict[str, list[Line]] = {kind: [] for kind in kinds}
    for number, text in enumerate(output.splitlines(), 1):
        if not text.startswith(f'{{"{KIND}"'):
            continue
        try:
            record = document.read(text)
        except ValueError:
            raise ParseError(number, text, "a whole JSON object") from None
        if isinstance(record, dict) and record.get(KIND) in records:
            records[record.pop(KIND)].append(record)
    return records


def read_job(
    output: str, job: str, kinds: Sequence[str], noun: str, build: Callable[[Line, dict[str, list[Line]]], R]
) -> R:
    """Result of `build` for the last line of ``rackwright-burn JOB`` and its other lines by kind.

    ParseError for a job that did not end, or that has fewer lines of the last of `kinds` (one per `noun`) than its last
    line counts.
    """
    records = read(output, (*kinds, "end"))
    ends, member = records["end"], kinds[-1]
    if len(ends) != 1 or ends[0].get(f"{member}s") != len(records[member]):
        raise ParseError(1, output[-200:], f"the end of rackwright-burn {job} and a line of every {noun}")
    try:
        return build(ends[0], records)
    except (ValueError, KeyError) as error:
        raise ParseError(1, output[-200:], f"lines of rackwright-burn {job} ({str(error)[:80]})") from None
