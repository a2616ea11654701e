"""What the BMC of one machine says (Redfish)."""

from __future__ import annotations

from rackwright.model.base import Record


class NicPort(Record):
    """One network port as the BMC inventories it."""

    adapter: str
    """Redfish NetworkAdapter id; equals the device name of the server SKU (``mlx5_0``)."""
    port_guid: str | None
    """InfiniBand port GUID, ``0x`` and 16 hex digits."""
    mac: str | None


class Bmc(Record):
    """Inventory and health."""

    manufacturer: str
    model: str
    serial: str
    power_state: str
    bios_version: str
    bmc_version: str
    health: str
    """Redfish Status.HealthRollup: ``OK``, ``Warning``, ``Critical``."""
    cpu_count: int
    memory_gib: float
    gpu_models: list[str]
    nic_ports: list[NicPort]
    psus_ok: int
    psus_total: int
    boot_override: str
    """BootSourceOverrideTarget (``None``, ``Pxe`` …)."""
