"""Healthy readings of the operating system, the main board, drives and the scheduler of a node of the example site."""

from __future__ import annotations

from typing import Any

from rackwright.model.base import Record
from rackwright.model.evidence.container import Container, DriverLibraries, Library
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.evidence.drives import Drive, DriveLink, DriveLinks, Drives
from rackwright.model.evidence.host import (
    Clock,
    ClockSource,
    ClockSources,
    Host,
    Package,
    Packages,
    SystemdUnits,
    UserLimits,
)
from rackwright.model.evidence.kubelet import Kubelet
from rackwright.model.evidence.memory import Dimm, Memory
from rackwright.model.evidence.mounts import Mount, Mounts
from rackwright.model.evidence.scheduler import SchedulerNode
from rackwright.model.evidence.tenancy import TenantWalls
from rackwright.model.evidence.tuning import MemoryErrors, Shared, Tuning

GIB = 2**30
DRIVER = "580.173.02"
SLOTS = [f"P{socket}_DIMM_{bank}{number}" for socket in (1, 2) for bank in "ABCDEFGH" for number in (1, 2)]


def host(**change: Any) -> Host:
    healthy = {
        "hostname": "train-001",
        "kernel": "6.1.0-49-amd64",
        "os_id": "debian",
        "os_version": "12",
        "cpus": 224,
        "memory_bytes": 2015 * GIB,
        "modules": ["nvidia_uvm", "nvidia", "ib_core"],
        "sysctl": {"kernel.numa_balancing": "0", "vm.zone_reclaim_mode": "1"},
        "memlock_limit_bytes": None,
    }
    return Host(**(healthy | change))


def clock(**change: Any) -> Clock:
    healthy = {
        "reference": "10.64.0.2",
        "stratum": 4,
        "offset_seconds": 0.00002,
        "leap_status": "Normal",
        "frequency_ppm": -3.4,
        "root_delay_seconds": 0.0002,
        "root_dispersion_seconds": 0.0004,
    }
    return Clock(**(healthy | change))


def packages(**change: Any) -> Packages:
    def package(version: str, *, on_hold: bool = True) -> Package:
        return Package(version=version, held=on_hold, status="installed")

    bill = {
        "nvidia-open": package(f"{DRIVER}-1"),
        "nvidia-driver": package(f"{DRIVER}-1", on_hold=False),
        "nvidia-persistenced": package(f"{DRIVER}-1"),
        "nvidia-modprobe": package(f"{DRIVER}-1"),
        "nvidia-fabricmanager": package(f"{DRIVER}-1"),
        "libnccl2": package("2.30.4-1+cuda13.0"),
        "datacenter-gpu-manager-4-core": package("1:4.6.0-1"),
        "datacenter-gpu-manager-4-cuda13": package("1:4.6.0-1"),
        "nvidia-container-toolkit": package("1.20.0-1"),
        "gdrdrv-dkms": package("2.6-1"),
        "libgdrapi": package("2.6-1"),
        "nvbandwidth": package("0.9-1"),
        "nccl-tests": package("2.17.8-1"),
    }
    return Packages(**({"packages": bill} | change))


def cpu(**change: Any) -> Cpu:
    healthy = {
        "model": "Intel(R) Xeon(R) Platinum 8480C",
        "sockets": 2,
        "cores_per_socket": 56,
        "threads_per_core": 2,
        "cpus": 224,
        "online": "0-223",
        "offline": "",
        "numa_nodes": 2,
        "max_mhz": 3800.0,
    }
    return Cpu(**(healthy | change))


def tuning(**change: Any) -> Tuning:
    def all_cpus(value: str, first: str = "policy0") -> list[Shared]:
        return [Shared(value=value, cpus=224, first=first)]

    healthy = {
        "command_line": "BOOT_IMAGE=/boot/vmlinuz-6.1.0-49-amd64 root=/dev/md0 ro iommu=pt numa_balancing=disable",
        "transparent_hugepages": "always",
        "hugepages": {"hugepages-2048kB": 0, "hugepages-1048576kB": 0},
        "governors": all_cpus("performance"),
        "ceilings": all_cpus("3800000"),
        "highest": all_cpus("3800000"),
        "microcode": all_cpus("0x2b000639", "cpu0"),
        "numa_memory": {"node0": 1007 * GIB, "node1": 1008 * GIB},
        "memory_errors": [MemoryErrors(label=slot, corrected=0, uncorrected=0) for slot in SLOTS],
        "crash_dumps": [],
    }
    return Tuning(**(healthy | change))


def memory(**change: Any) -> Memory:
    dimms = [
        Dimm(
            slot=slot,
            bytes=64 * GIB,
            kind="DDR5",
            manufacturer="Samsung",
            serial=f"80CE0123{number:02d}",
            part="M321R8GA0BB0-CQKZJ",
            rated_mts=4800,
            running_mts=4400,
        )
        for number, slot in enumerate(SLOTS)
    ]
    return Memory(**({"dimms": dimms} | change))


def drives(**change: Any) -> Drives:
    records = [
        Drive(
            name=f"nvme{number}",
            model="SAMSUNG MZQL23T8HCLS-00A07",
            serial=f"S64GNE0R70000{number}",
            firmware="GDC5602Q",
            bytes=3_840_755_982_336,
            passed=True,
            critical_warning=0,
            available_spare=100,
            spare_threshold=10,
            percentage_used=1,
            media_errors=0,
            temperature_celsius=33,
        )
        for number in range(8)
    ]
    return Drives(**({"drives": records} | change))


def mounts(**change: Any) -> Mounts:
    def mount(target: str, source: str, kind: str, size: int, used: int) -> Mount:
        return Mount(
            target=target, source=source, kind=kind, options=["rw", "relatime"], bytes=size, used_bytes=used,
            available_bytes=size - used,
        )  # fmt: skip

    records = [
        mount("/", "/dev/md0", "ext4", 1700 * GIB, 200 * GIB),
        mount("/dev/shm", "tmpfs", "tmpfs", 1007 * GIB, 0),
        mount("/local", "/dev/md/rackwright", "xfs", 28_000 * GIB, 100 * GIB),
    ]
    return Mounts(**({"mounts": records} | change))


def sources(**change: Any) -> ClockSources:
    records = [ClockSource(name="10.64.0.2", selected=True, state="*", stratum=3, reach=0o377)]
    return ClockSources(**({"sources": records} | change))


def container(**change: Any) -> Container:
    healthy = {"driver_version": DRIVER, "cuda_version": "13.0", "uuids": [f"GPU-{number:08d}" for number in range(8)]}
    return Container(**(healthy | change))


def drive_links(**change: Any) -> DriveLinks:
    link = {"generation": 4, "width": 4, "most_generation": 4, "most_width": 4, "slot_generation": 4, "slot_width": 4}
    return DriveLinks(**({"links": [DriveLink(name=f"nvme{number}", **link) for number in range(8)]} | change))


def libraries(**change: Any) -> DriverLibraries:
    records = [
        Library(path=f"/usr/lib/x86_64-linux-gnu/{name}.so.{DRIVER}", bytes=size)
        for name, size in (
            ("libcuda", 96_181_752),
            ("libnvidia-ml", 2_187_320),
            ("libnvidia-ptxjitcompiler", 38_999_008),
        )
    ]
    return DriverLibraries(**({"libraries": records} | change))


def scheduler(**change: Any) -> SchedulerNode:
    healthy = {
        "name": "train-001",
        "states": ["idle", "drain"],
        "reason": "rackwright: acceptance pending",
        "reason_by": "root",
        "gres": "gpu:h100:8",
        "cpus": 112,
        "memory_mib": 1_992_294,
        "answers": True,
    }
    return SchedulerNode(**(healthy | change))


def kubelet(**change: Any) -> Kubelet:
    healthy = {
        "name": "train-001",
        "conditions": {"MemoryPressure": "False", "DiskPressure": "False", "PIDPressure": "False", "Ready": "True"},
        "allocatable": {"cpu": "220", "memory": "2080374784Ki", "nvidia.com/gpu": "8", "pods": "110"},
        "capacity": {"cpu": "224", "memory": "2113929216Ki", "nvidia.com/gpu": "8", "pods": "110"},
        "taints": ["rackwright.io/acceptance=pending:NoSchedule"],
        "unschedulable": False,
        "version": "v1.34.2",
    }
    return Kubelet(**(healthy | change))


def tenant_walls(**change: Any) -> TenantWalls:
    names, node = ("research", "product"), "train-001"
    quota, classes = (
        "exceeded quota: accelerators, requested: 9",
        "exceeded quota: foreign-classes, requested: pods=1",
    )
    devices = {name: [f"/dev/nvidia{place * 4 + index}" for index in range(4)] for place, name in enumerate(names)}
    requested = {
        "quota": ("9 nvidia.com/gpu", quota),
        "class": ("chat", classes),
        "namespace": ("product", 'pods is forbidden: User "rackwright" cannot create resource "pods"'),
    }
    healthy = {
        "pods": [
            *({"tenant": name, "node": node, "requested": 4, "devices": devices[name]} for name in names),
            *({"tenant": name, "node": node, "requested": 0, "devices": []} for name in names),
        ],
        "reaches": [
            {"tenant": near, "node": node, "of": far, "at": node, "reached": near == far}
            for near in names
            for far in names
        ],
        "refusals": [
            {"tenant": name, "about": about, "requested": what, "answer": answer}
            for name in names
            for about, (what, answer) in requested.items()
        ],
    }
    return TenantWalls.model_validate(healthy | change)


SEEN: dict[type[Record], Any] = {
    TenantWalls: tenant_walls,
    Host: host,
    Clock: clock,
    Packages: packages,
    Cpu: cpu,
    Tuning: tuning,
    Memory: memory,
    Drives: drives,
    DriveLinks: drive_links,
    Mounts: mounts,
    ClockSources: sources,
    SystemdUnits: lambda **change: SystemdUnits(**({"failed": []} | change)),
    UserLimits: lambda **change: UserLimits(
        **({"open_files": 1048576, "stack_bytes": None, "processes": 8253917} | change)
    ),
    Container: container,
    DriverLibraries: libraries,
    SchedulerNode: scheduler,
    Kubelet: kubelet,
}
