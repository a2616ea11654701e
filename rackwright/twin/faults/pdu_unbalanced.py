"""Supplies of a rack are plugged into one line."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import pdu

FAULT = Fault(
    name="pdu-unbalanced",
    summary="Supplies of a rack are plugged into one line",
    apply=pdu(0, line_shares=(2.2, 0.4, 0.2)),
    checks=frozenset({"power.balance"}),
    names=frozenset({"L1"}),
    elsewhere=frozenset({"power.*"}),
    refused=False,
)
