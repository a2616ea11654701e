"""Faults of the operating system and the main board of one machine of the twin."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from rackwright.model.design import Node
from rackwright.twin.hardware.parts.drive import DriveState
from rackwright.twin.hardware.parts.memory import DimmSlot, fitted

GIB = 2**30
THREADS_PER_CORE = 2
SPARE_SHARE = 0.98
"""What a kernel of a large host shows of its memory. Derived 2026-11-21: 2,015 of 2,048 GiB on a DGX H100."""


@dataclass(frozen=True)
class SystemReadings:
    """Readings that a fault changes; the defaults are those of a healthy machine."""

    boots: int = 1
    """How often it was booted: the kernel draws another identifier each time."""
    sockets: int = 2
    cores_per_socket: int = 56
    threads_per_core: int = THREADS_PER_CORE
    cpu_maker: str = "GenuineIntel"
    """As /proc/cpuinfo calls it: a host of the twin shows what the machine was ordered with, and not what is below."""
    offline_cpus: tuple[int, ...] = ()
    governor: str = "performance"
    slow_cpus: tuple[int, ...] = ()
    """CPUs whose governor or ceiling is not that of the others: see `governor` and `ceiling_khz`."""
    ceiling_khz: int = 3_800_000
    highest_khz: int = 3_800_000
    microcode: str = "0x2b000639"
    memory_lost_gib: int = 0
    """What the kernel lacks although the modules are all there (a remapped hole, a wrong boot argument)."""
    empty_numa_node: int | None = None
    dimms: tuple[DimmSlot, ...] = ()
    kernel: str = ""
    """Release that runs; empty: the one that `parts.kernel.running` says."""
    driver: str = ""
    """Driver that is loaded; empty: the declared one."""
    command_line: str = ""
    """Arguments that the roles give the kernel."""
    transparent_hugepages: str = "always"
    hugepages: dict[str, int] = field(default_factory=dict)
    """Pages of each pool (``hugepages-2048kB``)."""
    modules: tuple[str, ...] = ()
    sysctl: dict[str, str] = field(default_factory=dict)
    memlock_kib: int | None = None
    """None: unlimited."""
    open_files: int = 1_048_576
    stack_kib: int | None = None
    hostname: str = ""
    system: str = ""
    """Operating system as the bill writes it (``ubuntu-24.04``); empty: the declared one."""
    failed_units: tuple[str, ...] = ()
    stopped_services: tuple[str, ...] = ()
    disabled_services: tuple[str, ...] = ()
    crash_dumps: tuple[str, ...] = ()
    kernel_events: tuple[tuple[str, str], ...] = ()
    """Kind and text of kernel log events (`evidence.kernel_log.KernelEvent`)."""
    machine_checks: tuple[tuple[int, int, str, bool], ...] = ()
    """CPU, bank, status, and whether the error was corrected."""
    link_losses: tuple[tuple[str, int], ...] = ()
    """Port, and how often it went down and up again, a minute apart."""
    ecn_off: tuple[str, ...] = ()
    """RoCE ports on which congestion notification is off."""
    unmarked: tuple[str, ...] = ()
    """RoCE ports whose packets carry no code point of the class without loss."""
    root_used_share: float = 0.12
    shm_bytes: int = 1024 * GIB
    lost_mounts: tuple[str, ...] = ()
    read_only_mounts: tuple[str, ...] = ()
    full_mounts: tuple[str, ...] = ()
    drives: tuple[DriveState, ...] = ()
    clock_offset_seconds: float = 0.0000012
    clock_stratum: int = 4
    clock_frequency_ppm: float = -3.412
    clock_dispersion_seconds: float = 0.000213
    clock_falsetickers: int = 0
    packages_gone: tuple[str, ...] = ()
    packages_free: tuple[str, ...] = ()
    """Packages whose hold was lifted."""
    packages_broken: tuple[str, ...] = ()
    """Packages that dpkg left half-configured."""
    empty_libraries: tuple[str, ...] = ()
    stale_libraries: tuple[str, ...] = ()
    """Libraries of the driver that carry an older version than it."""
    container_sees: int | None = None
    """Accelerators that a container is given; None: all."""
    slurm_states: tuple[str, ...] = ("idle",)
    slurm_gres_short: int = 0
    slurm_cpus: int | None = None
    slurm_memory_mib: int | None = None
    kubelet_ready: bool = True
    kubelet_pressure: tuple[str, ...] = ()
    kubelet_accelerators: int | None = None
    kubelet_cpus: int | None = None
    open_walls: tuple[str, ...] = ()
    """Walls between tenants that do not stand: ``network``, ``quota``, ``class``, ``namespace``, ``devices``."""

    @property
    def memory_kib(self) -> int:
        """What the kernel shows of the memory modules (MemTotal of /proc/meminfo)."""
        return int((sum(dimm.gib for dimm in self.dimms) - self.memory_lost_gib) * SPARE_SHARE * GIB) // 1024


def healthy(node: Node) -> SystemReadings:
    """The machine `node` as it was ordered and onboarded."""
    server = node.server
    store = server.local_storage
    vendor = node.accelerator.vendor if node.accelerator else ""
    drives = (
        [DriveState(index, _serial(node.name, index), store.terabytes_each) for index in range(store.drives)]
        if store
        else []
    )
    return SystemReadings(
        sockets=server.cpu_sockets,
        cores_per_socket=server.cores_per_socket,
        cpu_maker=_cpu_maker(node),
        dimms=fitted(server.memory_gib, server.cpu_sockets, server.memory_speeds),
        command_line=COMMAND_LINES.get(
            node.accelerator.sku if node.accelerator else "",
            COMMAND_LINE if server.architecture == "amd64" else ARM_LINE,
        ),
        modules=MODULES.get(vendor, ()),
        sysctl=dict(SYSCTL),
        hostname=node.name,
        shm_bytes=server.memory_gib * GIB // 2,
        drives=tuple(drives),
    )


COMMAND_LINE = "quiet iommu=pt numa_balancing=disable intel_iommu=on"
ARM_LINE = "quiet iommu=pt numa_balancing=disable"
RACK_SCALE = "quiet iommu.passthrough=1 numa_balancing=disable init_on_alloc=0 irqchip.gicv3_nolpi=y panic=-1"
COMMAND_LINES = {
    "gb200": RACK_SCALE,
    "gb300": RACK_SCALE,
    "mi300x": "quiet iommu=pt numa_balancing=disable pci=realloc=off",
}
"""What the role boot_cmdline sets, by accelerator."""
CPU_MAKERS = {"mi300x": "AuthenticAMD"}
"""By accelerator, where it is another one than that of DGX H100 and its like."""
ARM_MAKERS = {"NVIDIA": "0x41", "Huawei": "0x48"}
"""By maker of the server, of arm64: Arm's own cores (Grace), HiSilicon's (Kunpeng). Source: Linux, arch/arm64/include/asm/cputype.h."""


def _cpu_maker(node: Node) -> str:
    if node.server.architecture == "arm64":
        return ARM_MAKERS.get(node.server.manufacturer, ARM_MAKERS["NVIDIA"])
    return CPU_MAKERS.get(node.accelerator.sku if node.accelerator else "", SystemReadings.cpu_maker)


MODULES: dict[str, tuple[str, ...]] = {
    "nvidia": ("nvidia_uvm", "nvidia_modeset", "nvidia", "mlx5_ib", "ib_core"),
    "amd": ("amdgpu", "ib_core"),
}
"""Modules that the driver of a maker loads, among those that the node has."""

SYSCTL = {
    "kernel.numa_balancing": "0",
    "net.ipv4.neigh.default.gc_thresh1": "4096",
    "net.ipv4.neigh.default.gc_thresh2": "8192",
    "net.ipv4.neigh.default.gc_thresh3": "16384",
    "vm.swappiness": "60",
    "vm.zone_reclaim_mode": "1",
}
"""What the roles set, with one that they leave alone."""


def _serial(node: str, index: int) -> str:
    return "S64GNE0" + hashlib.sha256(f"{node}/drive{index}".encode()).hexdigest()[:8].upper()
