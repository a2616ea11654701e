"""A GPU has logged a double bit error."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-48-double-bit",
    summary="A GPU has logged a double bit error",
    apply=on_health(
        3, xids=((48, "pid='<unknown>', name=<unknown>, DBE (double bit error) ECC Error detected on GPU"),)
    ),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[3]} Xid 48"}),
)
