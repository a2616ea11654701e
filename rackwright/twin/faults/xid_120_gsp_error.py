"""The firmware of a GPU has crashed."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-120-gsp-error",
    summary="The firmware of a GPU has crashed",
    apply=on_health(3, xids=((120, "pid='<unknown>', name=<unknown>, GSP task exception: load access fault"),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[3]} Xid 120"}),
)
