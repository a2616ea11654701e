"""The driver advises to reset a GPU."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-154-reset-required",
    summary="The driver advises to reset a GPU",
    apply=on_health(3, xids=((154, "GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)"),)),
    checks=frozenset({"xid.recovery_advice"}),
    names=frozenset({"accelerator {bus[3]}"}),
)
