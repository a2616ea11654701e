"""A memory error of a GPU has ended a program."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-94-contained",
    summary="A memory error of a GPU has ended a program",
    apply=on_health(
        7, xids=((94, "pid='<unknown>', name=<unknown>, Contained: CE User Channel (0x9). RST: No, D-RST: No"),)
    ),
    checks=frozenset({"xid.application"}),
    refused=False,
    names=frozenset({"{bus[7]} Xid 94"}),
)
