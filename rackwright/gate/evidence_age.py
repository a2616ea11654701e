"""Evidence that is too old to open a gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from rackwright.model.gate import Gate, Hold

RULE = "evidence.age"
HOUR = 3600


def old_evidence(collected: Mapping[str, str], gate: Gate, now: str, nodes: Sequence[str]) -> list[Hold]:
    """One hold per node whose evidence is older than `gate` allows, or dated in the future.

    `collected` and `now` are ISO times. A node without evidence gets no hold: it has no verdict either.
    """
    if gate.evidence_hours is None:
        return []
    return [
        Hold(node=node, rule=RULE, says=says)
        for node in nodes
        if collected.get(node) and (says := _says(parse_time(collected[node]), parse_time(now), gate.evidence_hours))
    ]


def parse_time(text: str) -> datetime:
    """Parse an ISO time (UTC if it has no zone). Raises ValueError if malformed."""
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _says(collected: datetime, now: datetime, allowed: float) -> str:
    hours = (now - collected).total_seconds() / HOUR
    if hours < -1:
        return f"the evidence was taken at {collected.isoformat()}, {-hours:.0f} hours from now: set the clock right, collect again"
    return f"the evidence is {hours:.0f} hours old, {allowed:g} are allowed: collect again" if hours > allowed else ""
