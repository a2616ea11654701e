"""Lines of a node's fabric manager log that it does not write on every start."""

from __future__ import annotations

from rackwright.model.base import Record


class ManagerLine(Record):
    """One line."""

    time: str
    """ISO 8601 by the clock and in the zone of the node, without the zone."""
    level: str
    """``ERROR``, ``WARNING``, ``CRITICAL``, ``FATAL``."""
    text: str


class ManagerLog(Record):
    """The log of the fabric manager, in the order of the file."""

    begins: str
    """Time of the first line of the file; empty where that has none."""
    lines: list[ManagerLine]
