"""A GPU could not record a row remap."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-64-remap-failure",
    summary="A GPU could not record a row remap",
    apply=on_health(5, xids=((64, "pid='<unknown>', name=<unknown>, Row Remapper: failed to record"),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[5]} Xid 64"}),
)
