"""Feed B of a rack is dead."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-feed-dead",
    summary="Feed B of a rack is dead",
    apply=pdu(1, volts_share=0.0, health="Critical"),
    checks=frozenset({"power.voltage"}),
    names=frozenset({"Mains A L2"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
)
