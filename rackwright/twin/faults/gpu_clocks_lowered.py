"""Someone lowered the clocks of a GPU for applications."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-clocks-lowered",
    summary="Someone lowered the clocks of a GPU for applications",
    apply=on_health(1, application_clock_mhz=1410),
    checks=frozenset({"gpu.clocks"}),
    names=frozenset({"GPU {gpu[1]}"}),
)
