"""A GPU has logged an ECC error that escaped correction."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-140-ecc-escape",
    summary="A GPU has logged an ECC error that escaped correction",
    apply=on_health(4, xids=((140, "pid='<unknown>', name=<unknown>, Unrecovered ECC Error"),)),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[4]} Xid 140"}),
)
