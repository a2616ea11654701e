"""Every accelerator of a Hygon node out of hy-smi: one JSON object, by card.

Shape: gpustack/gpustack tests/detectors/rocm_smi/data, Hygon DTK 24.04.3 (2025): labels with their unit in brackets, numbers as
text, and an empty label among them.
"""

import json
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import figures
from rackwright.model.evidence.accelerator import Accelerators, Device

CARD = "card"
MIB = 2**20


def parse(output: str) -> Accelerators:
    """``{"card0": {...}, "system": {...}}``."""
    try:
        document = json.loads(output)
        cards = {int(name.removeprefix(CARD)): row for name, row in document.items() if name.startswith(CARD)}
        devices = [_device(index, row) for index, row in sorted(cards.items())]
        driver = document.get("system", {}).get("Driver version", "")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(1, output, f"JSON of hy-smi ({type(error).__name__}: {str(error)[:80]})") from None
    if not devices:
        raise ParseError(1, output, "at least one card of hy-smi --json")
    return Accelerators(driver_version=driver, cuda_driver_version="", devices=devices)


def _device(index: int, row: dict[str, Any]) -> Device:
    heat = figures.decimal(str(row.get("Temperature (Sensor junction) (C)")))
    return Device.bare(
        index=index,
        uuid=row["Unique ID"],
        serial=row.get("Serial Number", ""),
        product_name=row["Card Series"],
        pci_bus_id=f"0000{row['PCI Bus'].lower()}",
        memory_total_bytes=(figures.integer(str(row["vram Total Memory (MiB)"])) or 0) * MIB,
        temperature_celsius=None if heat is None else round(heat),
        power_watts=figures.decimal(str(row.get("Average Graphics Package Power (W)"))),
    )


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    vendors=("hygon",),
    folders=("/opt/hyhal/bin",),  # DCU developer community
    command=(
        "hy-smi", "--showid", "--showserial", "--showuniqueid", "--showbus", "--showproductname", "--showmeminfo", "vram",
        "--showtemp", "--showpower", "--showdriverversion", "--json",
    ),
)  # fmt: skip
