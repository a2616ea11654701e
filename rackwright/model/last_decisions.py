"""What was decided last, as the ledger answers it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rackwright.model.node_state import DecidedState


@dataclass(frozen=True)
class NodeStanding:
    """The newest decision on a node, and since when it is so."""

    node: str
    accepted: bool
    reason: str
    since: datetime
    run: str
    state: DecidedState


@dataclass(frozen=True)
class GroupStanding:
    """The newest decision of a gate on a group among those that covered as many of its nodes, and since when it is so."""

    gate: str
    scope: str
    group: str
    open: bool
    covered: int
    reason: str
    since: datetime
    run: str
