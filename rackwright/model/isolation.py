"""Results of isolations of faulty parts, as the ledger stores them for the gate: plain data, without the wiring they were made over."""

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
    loss: float | None = None
    """Share of the expected value that its bad tests lacked, on average; None in results of earlier versions."""
    frequency: float | None = None
    """Share of its tests in which it showed; None as for `loss`."""


class Clearance(Record):
    """The smallest fault that the tests of the cleared nodes would have shown (95 %). Smaller or rarer faults are not excluded."""

    loss: float
    """Smallest loss, as a share of the expected value."""
    frequency: float
    """Lowest share of tests in which a fault of this loss shows."""
    nodes: list[str]


def lifts(clearance: Clearance | None, blamed: Blamed) -> bool:
    """Whether tests without a finding were sensitive enough to have shown the blamed fault again.

    True if the blame states no loss or frequency; a clearance that states none lifts only such blame.
    """
    if blamed.loss is None or blamed.frequency is None:
        return True
    return clearance is not None and clearance.loss <= blamed.loss and clearance.frequency <= blamed.frequency


class Isolated(Record):
    """One isolation."""

    run: str
    taken: str
    """ISO time of its end."""
    fabric: str
    found: list[Blamed]
    faulty: list[str]
    """Nodes that are faulty, in whichever part."""
    cleared: list[str]
    unsettled: list[str]
    """Nodes that were tested and are neither faulty nor cleared: still open, or none of their tests ran."""
    uncovered: list[str]
    """Cables and switches that no two tests with different partners exercised: this isolation makes no statement about them."""
    tests: int = 0
    """0 in results that were kept before they were counted."""
    rounds: int = 0
    clearances: list[Clearance] = []
    """Of the cleared nodes; none in results of earlier versions."""
    ties: list[list[str]] = []
    """Nodes of which some are faulty, where no test among the nodes that answer can show which."""
    offset: float | None = None
    """What all nodes together read below (above: negative) the expected value, as a share of it."""
    complete: bool
    """Whether no further test was planned; False after a deadline."""

    @property
    def ended(self) -> datetime:
        """`taken` as a time. Raises ValueError if it is malformed."""
        return parse_time(self.taken)
