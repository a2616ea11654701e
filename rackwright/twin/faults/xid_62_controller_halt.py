"""The power controller of a GPU has halted."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-62-controller-halt",
    summary="The power controller of a GPU has halted",
    apply=on_health(4, xids=((62, "023f0f30 00000000 00000000 202c0ffe 202bc4b6"),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[4]} Xid 62"}),
)
