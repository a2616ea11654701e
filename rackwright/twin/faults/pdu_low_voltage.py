"""A feed runs below its voltage."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-low-voltage",
    summary="A feed runs below its voltage",
    apply=pdu(1, volts_share=0.86),
    checks=frozenset({"power.voltage"}),
    names=frozenset({"Mains A L1"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
)
