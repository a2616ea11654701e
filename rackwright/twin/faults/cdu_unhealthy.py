"""A CDU reports a fault of its own."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-unhealthy",
    summary="A CDU reports a fault of its own",
    apply=cdu(0, health="Critical"),
    checks=frozenset({"cooling.health"}),
    names=frozenset({"Critical"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
