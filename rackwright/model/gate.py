"""The gate: what must be true before a node may join, and what was decided."""

from __future__ import annotations

from rackwright.model.base import Record


class Gate(Record):
    """A gate of ``validators/gates.yaml``."""

    name: str
    allow_degraded: bool
    checks: list[str]
    """Glob patterns over check ids that must have a verdict (``gpu.*``)."""


class Waiver(Record):
    """A named person accepts a failed check on a node, with a reason and an end."""

    check: str
    node: str
    reason: str
    by: str
    until: str
    """ISO date; the waiver is void after it."""


class Decision(Record):
    """Accepted or refused, with the checks that decided it."""

    node: str
    accepted: bool
    blocking: list[str]
    """Ids of the checks that refuse it, in id order; empty when accepted."""
    reason: str
    """One line, fit for the scheduler's reason field."""
    waived: list[str] = []
