"""A GPU still runs firmware of the driver before."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-firmware-stale",
    summary="A GPU still runs firmware of the driver before",
    apply=on_health(1, gsp_firmware="570.124.06"),
    checks=frozenset({"gpu.gsp_firmware"}),
    names=frozenset({"GPU {gpu[1]}"}),
)
