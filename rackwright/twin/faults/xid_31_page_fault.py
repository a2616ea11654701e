"""A program has read outside of its memory on a GPU."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-31-page-fault",
    summary="A program has read outside of its memory on a GPU",
    apply=on_health(
        2, xids=((31, "pid=8, name=train, channel 0x00000004. MMU Fault: ENGINE CE0 HUBCLIENT_HOST faulted"),)
    ),
    checks=frozenset({"xid.application"}),
    refused=False,
    names=frozenset({"{bus[2]} Xid 31"}),
)
