"""Turns a failure into a degraded finding, for tiers that work, but not as well as required."""

from __future__ import annotations

from rackwright.model.verdict import Finding, Outcome


def weaker(finding: Finding) -> Finding:
    """`finding` with a fail turned into degraded; a pass stays a pass."""
    return finding.model_copy(update={"outcome": Outcome.DEGRADED}) if finding.outcome is Outcome.FAIL else finding
