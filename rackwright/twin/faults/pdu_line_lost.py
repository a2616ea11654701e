"""One line of a feed is lost."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-line-lost",
    summary="One line of a feed is lost",
    apply=pdu(0, dead_lines=("L3",)),
    checks=frozenset({"power.voltage", "power.balance"}),
    names=frozenset({"L3"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
)
