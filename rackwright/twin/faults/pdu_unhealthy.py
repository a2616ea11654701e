"""A rack PDU reports a fault of its own."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-unhealthy",
    summary="A rack PDU reports a fault of its own",
    apply=pdu(0, health="Warning"),
    checks=frozenset({"power.health"}),
    names=frozenset({"Warning"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
)
