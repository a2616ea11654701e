"""Prints accelerators as `hy-smi --json` does."""

import json

from rackwright.model.evidence.accelerator import Accelerators, Device

MIB = 2**20


def render(seen: Accelerators) -> bytes:
    """The object whose parse is `seen`; memory must be whole MiB."""
    cards = {f"card{one.index}": _card(one) for one in seen.devices}
    return json.dumps({**cards, "system": {"Driver version": seen.driver_version}}).encode()


def _card(one: Device) -> dict[str, str]:
    said = {
        "Unique ID": one.uuid,
        "Serial Number": one.serial,
        "Card Series": one.product_name,
        "PCI Bus": one.pci_bus_id[4:].upper(),
        "": "",
        "DCU use (%)": "0",
        "vram Total Memory (MiB)": str(one.memory_total_bytes // MIB),
    }
    if one.temperature_celsius is not None:
        said["Temperature (Sensor junction) (C)"] = f"{one.temperature_celsius:.1f}"
    if one.power_watts is not None:
        said["Average Graphics Package Power (W)"] = f"{one.power_watts:.1f}"
    return said
