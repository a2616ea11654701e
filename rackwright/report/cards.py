"""The small records of a report: what a node is, what was done to it, what holds for the whole, how the run went.

Part of `view.Report`, cut off because they stand on their own.
"""

from __future__ import annotations

from rackwright.model.base import Record


class Fact(Record):
    """One line of a summary or a passport: a name and what was found."""

    name: str
    value: str


class PartLine(Record):
    """One part with a serial."""

    kind: str
    place: str
    serial: str


class RepairLine(Record):
    """One thing that happened to a part of a node."""

    at: str
    """ISO time."""
    part: str
    what: str
    """``failed``, ``passed``, or what was done."""
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
    days_left: int
    """Negative when it is over and covers nothing any more."""
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
    """What a reader needs who reads nothing else."""

    facts: list[Fact]
    capacity: list[Fact]
    """Of what is handed over, by data sheet; what was measured stands in the distributions."""


class Step(Record):
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


class Rehearsal(Record):
    """Injected against found. It proves the bring-up, not the hardware."""

    injected: list[str]
    found: list[str]
    sentences: list[str]
    as_injected: bool | None
    """True when exactly what was injected was found; None when the run did not get that far."""
