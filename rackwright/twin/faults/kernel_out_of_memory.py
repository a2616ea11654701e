"""The kernel had to kill for want of memory."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kernel-out-of-memory",
    summary="The kernel had to kill for want of memory",
    apply=system(
        kernel_events=(("out_of_memory", "Out of memory: Killed process 12345 (python3) total-vm:2147483648kB"),)
    ),
    checks=frozenset({"kernel.out_of_memory"}),
    names=frozenset({"12345"}),
    refused=False,
)
