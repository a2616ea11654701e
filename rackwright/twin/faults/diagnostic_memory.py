"""The vendor's diagnostic finds bad memory in a GPU."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="diagnostic-memory",
    summary="The vendor's diagnostic finds bad memory in a GPU",
    apply=harm.gpu(0, diagnostic=("memory", "hardware_memory", "GPU 0 has uncorrectable memory errors")),
    checks=frozenset({"burn.diagnostic"}),
    names=frozenset({"GPU {gpu[0]}"}),
)
