"""Faults of the kernel: release, arguments, and what its log reports."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_system
from rackwright.twin.faults.fault import Fault

FAULTS = (
    # The configuration of the boot loader was rewritten without the arguments of the platform.
    Fault(
        name="kernel-arguments-lost",
        summary="The kernel was started without its arguments",
        apply=set_system(command_line="quiet"),
        checks={"host.cmdline"},
        names={"iommu"},
    ),
    Fault(
        name="kernel-crashed",
        summary="A crashed kernel left a dump",
        apply=set_system(crash_dumps=("/sys/fs/pstore/dmesg-erst-7412",)),
        checks={"host.crash_dumps"},
        names={"dmesg-erst-7412"},
    ),
    Fault(
        name="kernel-hung-task",
        summary="A task waits in the kernel for good",
        apply=set_system(kernel_events=(("hung_task", "INFO: task ls:40558 blocked for more than 120 seconds."),)),
        checks={"kernel.hung_tasks"},
        names={"task ls"},
    ),
    Fault(
        name="kernel-lockup",
        summary="A processor hung in the kernel",
        apply=set_system(
            kernel_events=(
                ("soft_lockup", "watchdog: BUG: soft lockup - CPU#19 stuck for 22s! [jbd2/nvme0n1p2-8:1002]"),
            )
        ),
        checks={"kernel.lockups"},
        names={"CPU#19"},
    ),
    Fault(
        name="kernel-old",
        summary="The kernel is older than that of the peers",
        apply=set_system(kernel="6.1.0-37-amd64"),
        checks={"host.kernel"},
        names={"6.1.0-37-amd64"},
    ),
    Fault(
        name="kernel-oops",
        summary="The kernel has hit a fault of its own",
        apply=set_system(kernel_events=(("oops", "BUG: kernel NULL pointer dereference, address: 0000000000000010"),)),
        checks={"kernel.oops"},
        names={"NULL pointer"},
    ),
    Fault(
        name="kernel-out-of-memory",
        summary="The kernel had to kill for want of memory",
        apply=set_system(
            kernel_events=(("out_of_memory", "Out of memory: Killed process 12345 (python3) total-vm:2147483648kB"),)
        ),
        checks={"kernel.out_of_memory"},
        names={"12345"},
        refused=False,
    ),
)
