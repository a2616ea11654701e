"""Every accelerator of a MetaX node out of the table of mx-smi: two lines each.

Shape: mx-smi 2.1.12, 2.2.4 and 2.2.9 with C500 and C550 in public records (2025 to 2026). The later ones have a state of each card, and the last has
the columns Board and Persist-M in addition. The table has no identifier but the bus address.
"""

import re
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import figures
from rackwright.model.evidence.accelerator import Accelerators, Device

DRIVER = re.compile(r"Kernel Mode Driver Version:\s*(\S+)")
FIRST = re.compile(
    r"^\|\s*(\d+)\s+(\S.*?)\s*\|(?:\s*(\d+)\s+\S+\s*\|)?\s*([0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.\d)\s*\|"
)
POWER = re.compile(r"(\d+)W / (\d+)W")
HEAT = re.compile(r"\b(\d+)C\b")
MEMORY = re.compile(r"^(?:\d+|N/?A|-)/(\d+|N/?A|-) MiB$")
BLANKS = ("N/A", "NA", "-")
MIB = 2**20


def parse(output: str) -> Accelerators:
    """Rows are recognised by their form: a first line has a bus address, the line after it the readings."""
    driver = DRIVER.search(output)
    devices: list[Device] = []
    lines = output.splitlines()
    for number, line in enumerate(lines):
        if match := FIRST.match(line):
            readings = lines[number + 1] if number + 1 < len(lines) else ""
            devices.append(_device(number + 1, match, readings))
    if not devices or driver is None:
        raise ParseError(1, output, "the table of mx-smi with at least one accelerator")
    return Accelerators(driver_version=driver[1], cuda_driver_version="", devices=devices)


def _device(number: int, first: re.Match[str], readings: str) -> Device:
    """The accelerator of line `number` and of the line after it."""
    cells = [cell.strip() for cell in readings.strip().strip("|").split("|")]
    memory = next((match for match in map(MEMORY.match, cells) if match), None)
    if memory is None and not set(cells) & set(BLANKS):
        raise ParseError(number + 1, readings, "used and total memory of the accelerator, as 826/65536 MiB")
    place = f"0000{first[4].lower()}"
    values: dict[str, Any] = {
        "uuid": place,
        "pci_bus_id": place,
        "memory_total_bytes": ((memory and figures.integer(memory[1])) or 0) * MIB,
    }
    if power := POWER.search(readings):
        values |= {"power_watts": float(power[1]), "power_limit_watts": float(power[2])}
    if heat := HEAT.search(readings):
        values["temperature_celsius"] = int(heat[1])
    if state := cells[-1]:
        values["health"] = state
    return Device.bare(index=int(first[3] or first[1]), product_name=first[2], **values)


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    vendors=("metax",),
    command=("/opt/mxdriver/bin/mx-smi",),
)
