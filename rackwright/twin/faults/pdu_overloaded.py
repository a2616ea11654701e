"""A feed of a rack carries more than its circuit may."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-overloaded",
    summary="A feed of a rack carries more than its circuit may",
    apply=pdu(0, load_share=1.3, line_shares=(1.9, 1.9, 1.9)),
    checks=frozenset({"power.line_current", "power.load"}),
    names=frozenset({"Mains A L1"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
)
