"""The management library of the driver is empty."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="nvml-empty",
    summary="The NVML library is empty for containers",
    apply=system(empty_libraries=("libnvidia-ml.so",)),
    checks=frozenset({"software.libraries"}),
    names=frozenset({"libnvidia-ml"}),
    masks=frozenset({"software.container"}),
)
