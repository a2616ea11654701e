"""Prints accelerators as `hl-smi -Q ... -f csv,noheader,nounits` does."""

from rackwright.model.evidence.accelerator import Accelerators, Device

MIB = 2**20


def render(seen: Accelerators) -> bytes:
    """The lines whose parse is `seen`; powers must be whole watts, memory whole MiB."""
    return "".join(", ".join(_values(seen, one)) + "\n" for one in seen.devices).encode()


def _values(seen: Accelerators, one: Device) -> list[str]:
    memory = str(one.memory_total_bytes // MIB)
    return [
        str(one.index), one.uuid, one.product_name, one.serial or "N/A", one.pci_bus_id[4:], seen.driver_version, memory,
        _said(one.power_watts), _said(one.power_limit_watts), _said(one.temperature_celsius),
    ]  # fmt: skip


def _said(value: float | None) -> str:
    return "N/A" if value is None else f"{value:.0f}"
