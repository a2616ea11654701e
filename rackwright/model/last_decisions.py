"""The newest decisions of the gate, as the ledger returns them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rackwright.model.node_state import DecidedState


@dataclass(frozen=True)
class NodeStanding:
    """The newest decision on a node, and the time since which it holds."""

    node: str
    accepted: bool
    reason: str
    since: datetime
    run: str
    state: DecidedState


@dataclass(frozen=True)
class GroupStanding:
    """The newest decision of a gate on a group among those that covered the most of its nodes, and the time since which it holds."""

    gate: str
    scope: str
    group: str
    open: bool
    covered: int
    reason: str
    since: datetime
    run: str
