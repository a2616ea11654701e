"""Small records of a report: facts, parts, repairs, waivers, gates, steps, evidence and the rehearsal."""

from __future__ import annotations

from rackwright.model.base import Record


class Fact(Record):
    """One line of a summary or a passport: a name and a value."""

    name: str
    value: str


class PartLine(Record):
    """One part with a serial."""

    kind: str
    place: str
    serial: str


class RepairLine(Record):
    """One event of a part of a node."""

    at: str
    """ISO time."""
    part: str
    what: str
    """``failed``, ``passed``, or the action."""
    check: str
    by: str
    says: str


class WaiverLine(Record):
    """One waiver of the site."""

    check: str
    node: str
    object: str
    reason: str
    by: str
    until: str
    ticket: str
    since: str
    approved_by: list[str]
    days_left: int
    """To the last day on which it counts; negative if it has ended."""
    void: str
    """Why it did not count; empty if it did."""
    used: bool
    """Whether it covered a finding of this run."""


class GateLine(Record):
    """Whether a gate is open for a rack, a fabric, a pool or the site."""

    gate: str
    scope: str
    group: str
    open: bool
    reason: str


class Summary(Record):
    """The essential facts of the report."""

    facts: list[Fact]
    capacity: list[Fact]
    """Of the accepted nodes, from data sheets; measured values are in the distributions."""


class StepLine(Record):
    """One step of the run."""

    step: str
    outcome: str
    seconds: float
    detail: str


class Evidence(Record):
    """One raw output, by its hash."""

    sha256: str
    nodes: list[str]
    checks: list[str]


class RehearsalCard(Record):
    """Injected faults against findings. It proves the bring-up, not the hardware."""

    injected: list[str]
    found: list[str]
    sentences: list[str]
    as_injected: bool | None
    """True if the findings are exactly the injected faults; None if the run did not get that far."""
