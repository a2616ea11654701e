"""A GPU did not answer its driver in time."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-46-gpu-timeout",
    summary="A GPU did not answer its driver in time",
    apply=on_health(1, xids=((46, "pid='<unknown>', name=<unknown>, GPU stopped processing"),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[1]} Xid 46"}),
)
