"""A task waits in the kernel for good."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kernel-hung-task",
    summary="A task waits in the kernel for good",
    apply=system(kernel_events=(("hung_task", "INFO: task ls:40558 blocked for more than 120 seconds."),)),
    checks=frozenset({"kernel.hung_tasks"}),
    names=frozenset({"task ls"}),
)
