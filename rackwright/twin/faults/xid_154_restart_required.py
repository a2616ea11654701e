"""The driver advises to restart the node."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-154-restart-required",
    summary="The driver advises to restart the node",
    apply=on_health(6, xids=((154, "GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)"),)),
    checks=frozenset({"xid.recovery_advice"}),
    names=frozenset({"Node Reboot Required"}),
)
