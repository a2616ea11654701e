"""A GPU does not switch contexts any more."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-109-context-switch",
    summary="A GPU does not switch contexts any more",
    apply=on_health(
        1, xids=((109, "pid='<unknown>', name=<unknown>, Ch 00000009, errorString CTX SWITCH TIMEOUT, Info 0x6c009"),)
    ),
    checks=frozenset({"xid.none_critical"}),
    names=frozenset({"{bus[1]} Xid 109"}),
)
