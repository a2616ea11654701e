"""What an isolation of faulty parts came to, as it is kept for the gate: plain data, without the wiring that it was made over."""

from __future__ import annotations

from datetime import datetime

from rackwright.model.base import Record
from rackwright.model.times import parse_time


class Blamed(Record):
    """A part that was found faulty."""

    kind: str
    """node, nvlink, rail, cable, switch or pair."""
    names: list[str]
    """One, or several of which it is one."""
    node: str = ""
    """The node that it belongs to; empty for what nodes share."""
    probability: float
    """That it is this one, given every reading."""


class Isolated(Record):
    """One isolation."""

    run: str
    taken: str
    """ISO time of its end."""
    fabric: str
    found: list[Blamed]
    faulty: list[str]
    """Nodes that are faulty, whatever of them is."""
    cleared: list[str]
    unsettled: list[str]
    """Nodes that were tested and are neither: open, or none of their tests ran."""
    uncovered: list[str]
    """Cables and switches that no two tests with different partners exercised: this isolation says nothing of them."""
    tests: int = 0
    """0 in results that were kept before they were counted."""
    rounds: int = 0
    complete: bool
    """Whether no further test was planned; False after a deadline."""

    @property
    def ended(self) -> datetime:
        """`taken` as a time. Raises ValueError if it is malformed."""
        return parse_time(self.taken)
