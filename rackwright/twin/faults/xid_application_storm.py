"""Programs on a GPU fail one after the other."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-application-storm",
    summary="Programs on a GPU fail one after the other",
    apply=on_health(
        5, xids=((94, "pid='<unknown>', name=<unknown>, Contained: CE User Channel (0x9). RST: No, D-RST: No"),) * 14
    ),
    checks=frozenset({"xid.application"}),
    names=frozenset({"{bus[5]}"}),
    refused=False,
)
