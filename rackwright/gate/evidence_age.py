"""Evidence that is too old to open a gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from rackwright.model.gate import Gate, Hold

RULE = "evidence.age"
HOUR = 3600


def old_evidence(collected: Mapping[str, datetime], gate: Gate, now: datetime, nodes: Sequence[str]) -> list[Hold]:
    """One hold per node whose evidence is older than `gate` allows, or dated in the future.

    `collected` is the time of the evidence by node. A node without evidence gets no hold: it has no verdict either.
    """
    if gate.evidence_hours is None:
        return []
    return [
        Hold(node=node, rule=RULE, says=says)
        for node in nodes
        if node in collected and (says := _says(collected[node], now, gate.evidence_hours))
    ]


def _says(collected: datetime, now: datetime, allowed: float) -> str:
    hours = (now - collected).total_seconds() / HOUR
    if hours < -1:
        return f"the evidence was taken at {collected.isoformat()}, {-hours:.0f} hours from now: set the clock right, collect again"
    return f"the evidence is {hours:.0f} hours old, {allowed:g} are allowed: collect again" if hours > allowed else ""
