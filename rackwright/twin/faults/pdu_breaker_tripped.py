"""A breaker of a rack PDU has tripped."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-breaker-tripped",
    summary="A breaker of a rack PDU has tripped",
    apply=pdu(1, tripped=(2,)),
    checks=frozenset({"power.breakers"}),
    names=frozenset({"Branch 2"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
)
