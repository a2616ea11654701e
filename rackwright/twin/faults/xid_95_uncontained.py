"""A memory error of a GPU hit more than one program."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-95-uncontained",
    summary="A memory error of a GPU hit more than one program",
    apply=on_health(0, xids=((95, "pid='<unknown>', name=<unknown>, Uncontained: FBHUB. RST: Yes, D-RST: No"),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[0]} Xid 95"}),
)
