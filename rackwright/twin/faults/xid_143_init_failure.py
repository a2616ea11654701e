"""A GPU failed to start."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-143-init-failure",
    summary="A GPU failed to start",
    apply=on_health(5, xids=((143, "pid='<unknown>', name=<unknown>, GPU Initialization Failure"),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[5]} Xid 143"}),
)
