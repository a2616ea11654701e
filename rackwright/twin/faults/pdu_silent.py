"""The controller of a rack PDU does not answer."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-silent",
    summary="The controller of a rack PDU does not answer",
    apply=pdu(1, silent=True),
    checks=frozenset({"power.*"}),
    names=frozenset({"does not answer"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
    unread=True,
)
