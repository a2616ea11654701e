"""Two outlets of a rack PDU were switched off."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-outlets-off",
    summary="Two outlets of a rack PDU were switched off",
    apply=pdu(0, dark_outlets=2),
    checks=frozenset({"power.cords"}),
    names=frozenset({"C19-1"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
)
