"""Readings of one accelerator of the twin beyond `state.Gpu`, and of the board around the accelerators."""

from __future__ import annotations

from dataclasses import dataclass, field

from rackwright.model.design import Node

LINK_MBPS = {"ampere": 25000, "hopper": 26562, "blackwell": 53125, "blackwell-ultra": 53125}
"""What nvidia-smi nvlink -s shows of one link (NVIDIA Health Validation, nvlink_bandwidth_count_speed, 2026-09: 26562 for H100, 53125 for GB200
and GB300; A100: 25 GB/s)."""
SM_MHZ = {"ampere": 1410, "hopper": 1980, "blackwell": 1965, "blackwell-ultra": 1920}
"""Highest SM clock as nvidia-smi -q shows it: A100 whitepaper (1410); captures of H100, H200, B200 and B300 in public (2026)."""
BANKS = {"ampere": 640, "hopper": 2560}
"""Banks with all their spare rows on a healthy part, as nvidia-smi -q shows them (public captures of A100 80 GB and H100, 2026)."""
MOST_BANKS = 4096
FACTORY_VBIOS = "96.00.89.00.01"
"""Firmware with which every accelerator of the twin comes; onboarding flashes that of the bill where it names one."""


@dataclass(frozen=True)
class GpuHealth:
    """Readings that a fault changes; the defaults are those of a healthy accelerator."""

    xids: tuple[tuple[int, str], ...] = ()
    """Codes and texts of the driver in the kernel log."""
    part_number: str = "692-2G520-0200-000"
    inforom: str = "G520.0200.00.05"
    inforom_valid: bool = True
    gsp_firmware: str = ""
    """Empty: that of the driver."""
    ecc_enabled: bool = True
    ecc_corrected_dram: int = 0
    ecc_corrected_sram: int = 0
    ecc_uncorrected_sram: int = 0
    retired_pages: int | None = None
    """None: the part remaps rows instead."""
    retired_pages_pending: bool = False
    remapped_rows: int = 0
    """After uncorrectable errors."""
    spare_banks: tuple[int, int, int, int, int] = (MOST_BANKS, 0, 0, 0, 0)
    """Banks with max, high, partial, low and no spare rows."""
    power_watts: int | None = None
    """None: a tenth of the limit, the twin's own idle."""
    memory_celsius: int = 38
    margin_celsius: int | None = None
    """To the temperature at which it slows down; None: what is left to 87 degrees."""
    clock_sm_mhz: int = 1980
    application_clock_mhz: int | None = None
    """None: the highest clock."""
    compute_mode: int = 0
    """NVML's code: 0 default, 2 prohibited, 3 exclusive process."""
    mig: bool = False
    processes: tuple[tuple[int, str], ...] = ()
    persistence: bool = True
    recovery_action: int = 0
    """NVML's code of the action that the driver asks for; 0 none."""
    link_mbps: int = 26562
    slow_links: tuple[int, ...] = ()
    link_replays: tuple[int, ...] = ()
    """By link, from link 0."""
    link_recoveries: tuple[int, ...] = ()
    direct_links: tuple[int, ...] = ()
    """Links that end at another accelerator instead of an NVSwitch."""
    fabric_joined: bool = True
    fabric_degraded: bool = False
    """The fabric says that its bandwidth is degraded."""
    clique: int = 1
    numa_node: int = 0
    max_payload: int = 256
    acs: tuple[str, ...] = ()
    """Access Control Services that are on in the port above it."""
    foreign_switch: bool = False
    """It hangs on another PCIe switch than the adapter of its rail."""
    fatal_bus_error: bool = False
    """Its PCIe device status says that a fatal error was seen."""


@dataclass(frozen=True)
class Board:
    """The board around the accelerators of one machine."""

    log_whole: bool = True
    """False: the kernel log does not reach back to the start."""
    switch_errors: tuple[tuple[int, int, bool, str], ...] = ()
    """NVSwitch, SXid, fatal, text."""
    manager_errors: tuple[str, ...] = ()
    """Texts of errors that the fabric manager has logged."""
    bus_errors: tuple[tuple[str, str, int], ...] = ()
    """Bus address, severity, how often."""
    nic_links: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By port: PCIe generation and width, where they are not what they should be."""
    nics_missing: tuple[str, ...] = ()
    """Ports whose adapter is not on the bus."""
    nvswitches_missing: tuple[int, ...] = ()
    """NVSwitches that are not on the bus."""
    nic_read_requests: dict[str, int] = field(default_factory=dict)
    """By port: bytes, where they are not 4096."""
    imex_lost: tuple[str, ...] = ()
    """Nodes of its NVLink domain that its IMEX daemon does not reach."""


def healthy(node: Node, index: int) -> GpuHealth:
    """Accelerator `index` of `node` as it leaves the factory."""
    part = node.accelerator
    assert part is not None, f"{node.name} has no accelerators"
    sockets = max(node.server.cpu_sockets, 1)
    mhz = SM_MHZ.get(part.architecture, SM_MHZ["hopper"])
    banks = BANKS.get(part.architecture, MOST_BANKS)
    return GpuHealth(
        clock_sm_mhz=mhz,
        link_mbps=LINK_MBPS.get(part.architecture, 0),
        spare_banks=(banks, 0, 0, 0, 0),
        numa_node=index * sockets // max(node.accelerators, 1),
    )
