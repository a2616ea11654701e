"""A finding about something that works, but not as wanted."""

from __future__ import annotations

from rackwright.model.verdict import Finding, Outcome


def weaker(finding: Finding) -> Finding:
    """`found` with a fail turned into degraded; a pass stays a pass."""
    return finding.model_copy(update={"outcome": Outcome.DEGRADED}) if finding.outcome is Outcome.FAIL else finding
