"""Output of our jobs that is one JSON object per line, between whatever libraries print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs import document

KIND = "line"


def read(output: str, kinds: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The objects of each kind of `kinds`, without the key that names its kind; ParseError for a truncated object."""
    records: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
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
