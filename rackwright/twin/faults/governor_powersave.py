"""Two CPUs run with a governor that saves power."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="governor-powersave",
    summary="Two CPUs run with a governor that saves power",
    apply=system(slow_cpus=(17, 18)),
    checks=frozenset({"cpu.governor"}),
    names=frozenset({"policy17"}),
    refused=False,
)
