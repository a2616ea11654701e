"""A processor hung in the kernel."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kernel-lockup",
    summary="A processor hung in the kernel",
    apply=system(
        kernel_events=(("soft_lockup", "watchdog: BUG: soft lockup - CPU#19 stuck for 22s! [jbd2/nvme0n1p2-8:1002]"),)
    ),
    checks=frozenset({"kernel.lockups"}),
    names=frozenset({"CPU#19"}),
)
