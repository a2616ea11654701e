"""A GPU fell off the bus and came back with a restart."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-79-off-the-bus",
    summary="A GPU fell off the bus and came back with a restart",
    apply=on_health(7, xids=((79, "pid='<unknown>', name=<unknown>, GPU has fallen off the bus."),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[7]} Xid 79"}),
)
