"""Faults of the kernel: release, arguments, and what its log reports."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_kernel_lines, set_system
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="kernel-accelerator-abnormal",
        summary="The driver has lost an NPU",
        apply=set_kernel_lines("ascend_device_abnormal"),
        checks={"kernel.accelerators"},
        names={"dev_id=5"},
        needs="huawei",
    ),
    Fault(
        name="kernel-accelerator-hangs",
        summary="A queue of an accelerator hung, and its driver reset it",
        apply=set_kernel_lines("amdgpu_ring_timeout", "amdgpu_reset"),
        checks={"kernel.accelerators"},
        names={"ring gfx"},
        needs="amd",
    ),
    Fault(
        name="kernel-accelerator-not-started",
        summary="The driver could not start a GPU",
        apply=set_kernel_lines("nvidia_init_failed", "nvidia_open_failed"),
        checks={"kernel.accelerators"},
        names={"RmInitAdapter"},
        needs="nvidia",
    ),
    Fault(
        name="kernel-adapter-stopped",
        summary="An adapter stopped sending, and its firmware reports an error",
        apply=set_kernel_lines("mlx5_tx_timeout", "mlx5_health_syndrome"),
        checks={"kernel.network"},
        names={"TX timeout"},
    ),
    Fault(
        name="kernel-adapter-underpowered",
        summary="A slot gives an adapter less power than it asks for",
        apply=set_kernel_lines("mlx5_slot_power"),
        checks={"kernel.network"},
        names={"insufficient power"},
        refused=False,
    ),
    # The configuration of the boot loader was rewritten without the arguments of the platform.
    Fault(
        name="kernel-arguments-lost",
        summary="The kernel was started without its arguments",
        apply=set_system(command_line="quiet"),
        checks={"host.cmdline"},
        names={"iommu"},
    ),
    Fault(
        name="kernel-cpu-throttled",
        summary="A processor is throttled for heat",
        apply=set_kernel_lines("cpu_throttled"),
        checks={"kernel.processors"},
        names={"clock throttled"},
    ),
    Fault(
        name="kernel-crash-recorded",
        summary="The firmware has recorded an error that stopped the node",
        apply=set_kernel_lines("crash_record"),
        checks={"kernel.firmware"},
        names={"previous boot"},
    ),
    Fault(
        name="kernel-crashed",
        summary="A crashed kernel left a dump",
        apply=set_system(crash_dumps=("/sys/fs/pstore/dmesg-erst-7412",)),
        checks={"host.crash_dumps"},
        names={"dmesg-erst-7412"},
    ),
    Fault(
        name="kernel-device-cut-off",
        summary="A port has cut off a device after a fatal error",
        apply=set_kernel_lines("dpc_containment", "slot_link_down"),
        checks={"kernel.pci"},
        names={"containment"},
    ),
    Fault(
        name="kernel-device-reaches-out",
        summary="A device reached for memory that is not its own",
        apply=set_kernel_lines("dmar_fault"),
        checks={"kernel.iommu"},
        names={"fault addr"},
    ),
    Fault(
        name="kernel-file-server-lost",
        summary="A shared file system has lost its server",
        apply=set_kernel_lines("lustre_connection_lost", "lustre_request_timeout"),
        checks={"kernel.network_file_systems"},
        names={"was lost"},
    ),
    Fault(
        name="kernel-hung-task",
        summary="A task waits in the kernel for good",
        apply=set_kernel_lines("hung_task"),
        checks={"kernel.hung_tasks"},
        names={"task kcompactd1"},
    ),
    Fault(
        name="kernel-lockup",
        summary="A processor hung in the kernel",
        apply=set_kernel_lines("soft_lockup"),
        checks={"kernel.lockups"},
        names={"CPU#18"},
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
        apply=set_kernel_lines("null_pointer"),
        checks={"kernel.oops"},
        names={"NULL pointer"},
    ),
    Fault(
        name="kernel-out-of-memory",
        summary="The kernel had to kill for want of memory",
        apply=set_kernel_lines("out_of_memory"),
        checks={"kernel.out_of_memory"},
        names={"12345"},
        refused=False,
    ),
    Fault(
        name="kernel-page-poisoned",
        summary="A page of memory is broken and was taken out of use",
        apply=set_kernel_lines("page_poisoned"),
        checks={"kernel.memory"},
        names={"recovery action"},
    ),
)
