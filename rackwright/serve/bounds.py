"""The bounds of the server, as data with their reasons."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rackwright.base import tables
from rackwright.model.base import Record


class BoundRow(Record):
    """A row of ``bounds.yaml``."""

    name: str
    value: int
    why: str


@dataclass(frozen=True)
class ServerBounds:
    """The value of each row."""

    request_bytes: int
    header_bytes: int
    headers: int
    head_seconds: float
    idle_seconds: float
    answer_seconds: float
    wait_seconds: float
    release_seconds: float
    connections: int
    page: int
    failed_logins: int
    failed_seconds: float
    failed_addresses: int
    watch_seconds: float
    message_changes: int
    call_seconds: float
    tries: int
    first_pause_seconds: float
    longest_pause_seconds: float
    messages: int


@cache
def load_bounds() -> ServerBounds:
    """The bounds of ``bounds.yaml``."""
    rows = tables.load_tables(Path(__file__).with_name("bounds.yaml"), {"bounds": BoundRow})["bounds"]
    return ServerBounds(**{row.record.name: row.record.value for row in rows})
