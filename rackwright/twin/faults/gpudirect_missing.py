"""The module that lets adapters reach GPU memory is not loaded."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpudirect-missing",
    summary="The module that lets adapters reach GPU memory is not loaded",
    apply=harm.machine(gpudirect=False),
    checks=frozenset({"collective.path_across", "rail.gpudirect"}),
    names=frozenset({"without GPUDirect", "host memory"}),
)
