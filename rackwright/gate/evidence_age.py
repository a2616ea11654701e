"""Evidence that is too old to open a gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from rackwright.model.gate import Gate, Hold

RULE = "evidence.age"
HOUR = 3600


def old(taken: Mapping[str, str], gate: Gate, now: str, nodes: Sequence[str]) -> list[Hold]:
    """One hold per node whose evidence is older than `gate` allows, or from the future.

    `taken` and `now` are ISO times. A node without evidence gets none: it has no verdict either.
    """
    if gate.evidence_hours is None:
        return []
    return [
        Hold(node=node, rule=RULE, says=says)
        for node in nodes
        if taken.get(node) and (says := _says(moment(taken[node]), moment(now), gate.evidence_hours))
    ]


def moment(text: str) -> datetime:
    """An ISO time; one without a zone is UTC. ValueError when it is none."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _says(taken: datetime, now: datetime, allowed: float) -> str:
    hours = (now - taken).total_seconds() / HOUR
    if hours < -1:
        return f"the evidence was taken at {taken.isoformat()}, {-hours:.0f} hours from now: set the clock right, collect again"
    return f"the evidence is {hours:.0f} hours old, {allowed:g} are allowed: collect again" if hours > allowed else ""
