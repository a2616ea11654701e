"""Readings of the accelerators of one node by the vendor's tool (NVML, amd-smi, npu-smi): vendor-neutral."""

from __future__ import annotations

from typing import Any

from rackwright.model.base import Record


class Device(Record):
    """One accelerator. None means that the library does not support the reading; it never means zero."""

    index: int
    uuid: str
    serial: str
    product_name: str
    pci_bus_id: str
    """``domain:bus:device.function``, lower case (``00000000:1b:00.0``)."""
    vbios: str
    memory_total_bytes: int
    """0 where the tool has no reading of it."""
    ecc_enabled: bool | None
    ecc_corrected_volatile: int | None
    ecc_uncorrected_volatile: int | None
    ecc_uncorrected_aggregate: int | None
    remapped_rows_corrected: int | None
    remapped_rows_uncorrected: int | None
    row_remap_pending: bool | None
    row_remap_failed: bool | None
    pcie_generation: int | None
    pcie_width: int | None
    pcie_replays: int | None
    nvlink_active: list[bool]
    """One entry per link the library knows, in link order."""
    nvlink_crc_errors: list[int]
    temperature_celsius: int | None
    power_limit_watts: float | None
    throttle_reasons: list[str]
    """Names of active clock-event reasons, without idle (``hw_thermal_slowdown``)."""
    persistence_mode: bool | None
    fabric_state: str | None
    """``completed``, ``in_progress``, ``not_started``, ``not_supported``."""
    fabric_status: str | None
    """``success`` or the library's error name."""
    pcie_generation_max: int | None = None
    """Highest generation that accelerator and slot can both do; an idle link may run below it."""
    performance_state: int | None = None
    """P-state, 0 is full speed (``nvmlDeviceGetPerformanceState``); tells an idle link from one that trained down."""
    part_number: str | None = None
    """Of the board, as the library prints it."""
    inforom: str | None = None
    """Version of the InfoROM image."""
    inforom_valid: bool | None = None
    """False when its checksums are wrong."""
    gsp_firmware: str | None = None
    """Release that the system processor of the accelerator runs."""
    ecc_corrected_dram: int | None = None
    """In the life of the part, like the two that follow."""
    ecc_corrected_sram: int | None = None
    ecc_uncorrected_sram: int | None = None
    retired_pages: int | None = None
    """Of parts that retire pages instead of remapping rows."""
    retired_pages_pending: bool | None = None
    spare_banks: list[int] | None = None
    """How many memory banks have all, many, some, few and no spare rows left."""
    power_limit_default_watts: float | None = None
    power_watts: float | None = None
    """Drawn now."""
    temperature_memory_celsius: int | None = None
    temperature_margin_celsius: int | None = None
    """How much hotter it may get before it slows down."""
    clock_sm_max_mhz: int | None = None
    clock_sm_application_mhz: int | None = None
    """What applications ask for."""
    clock_sm_default_mhz: int | None = None
    """The same before anybody changes it. Some parts have it below the highest and boost beyond it: 1275 of 1410 MHz on an A100-SXM4."""
    compute_mode: str | None = None
    """``default``, ``exclusive_process``, ``prohibited`` ..."""
    mig_enabled: bool | None = None
    """Whether it is cut into instances."""
    processes: list[int] | None = None
    """Process ids of programs that compute on it."""
    recovery_action: str | None = None
    """What the driver asks for: ``none``, ``gpu_reset``, ``node_reboot``, ``drain_p2p``, ``drain_and_reset`` ..."""
    nvlink_mbytes_per_s: list[int] = []
    """Raw rate by link, like the three that follow."""
    nvlink_replays: list[int] = []
    nvlink_recoveries: list[int] = []
    nvlink_peers: list[str] = []
    """What is at the other end: ``switch``, ``gpu``, ``unknown``."""
    fabric_domain: str | None = None
    """Identifier of the NVLink domain, the same on all accelerators in it."""
    fabric_clique: int | None = None
    """Accelerators of one clique reach each other."""
    fabric_problems: list[str] | None = None
    """What the fabric says is wrong: ``degraded_bandwidth``, ``route_unhealthy`` ..."""
    scale_up_active: list[bool] = []
    """Links between accelerators that are no NVLink, in link order."""
    health: str | None = None
    """What the vendor's tool sums up in a word (``OK``, ``Warning``, ``Alarm``)."""

    @classmethod
    def bare(cls, **fields: Any) -> Device:
        """A device with only `fields` read and everything else empty: the tools of some vendors report little."""
        empty: dict[str, Any] = dict.fromkeys(name for name, field in cls.model_fields.items() if field.is_required())
        lists: dict[str, Any] = {"nvlink_active": [], "nvlink_crc_errors": [], "throttle_reasons": []}
        return cls(**(empty | {"serial": "", "vbios": ""} | lists | fields))


class Accelerators(Record):
    """All accelerators of one node."""

    driver_version: str
    cuda_driver_version: str
    """Highest CUDA version the driver supports (``13.0``); of other vendors their own runtime (ROCm), empty where it is not reported."""
    devices: list[Device]
