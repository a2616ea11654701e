"""A GPU has logged an uncorrectable error of its memory."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-171-dram",
    summary="A GPU has logged an uncorrectable error of its memory",
    apply=on_health(6, xids=((171, "pid='<unknown>', name=<unknown>, Uncorrectable DRAM error"),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[6]} Xid 171"}),
)
