"""What the accelerators of one node say of themselves (NVML, amd-smi, npu-smi): vendor-neutral."""

from __future__ import annotations

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


class Accelerators(Record):
    """All accelerators of one node."""

    driver_version: str
    cuda_driver_version: str
    """Highest CUDA version the driver supports (``13.0``)."""
    devices: list[Device]
