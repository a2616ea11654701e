"""Every accelerator of a Moore Threads node out of the table of mthreads-gmi: two lines each.

Shape: Moore Threads documentation and public records of mthreads-gmi 1.14 to 2.4 (MTT S80, S3000, S4000, S5000; 2024 to 2026).
The table has no identifier but the bus address.
"""

import re
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.accelerator import Accelerators, Device

DRIVER = re.compile(r"Driver Version:\s*(\S+)")
FIRST = re.compile(r"^(\d+)\s+(\S.*?)\s*\|\s*([0-9a-fA-F]+:[0-9a-fA-F]+:[0-9a-fA-F]+\.\d)\s*\|(.*)")
MEMORY = re.compile(r"\((\d+)MiB\)")
SECOND = re.compile(r"^\s+[^\s|].*?\|([^|]*)\|(.*)")
WIDTH = re.compile(r"\s*(\d+)x\s*\(")
HEAT = re.compile(r"\s*(\d+)C\b")
MIB = 2**20


def parse(output: str) -> Accelerators:
    """Rows are recognised by their form, not by their position: some releases put lines between them."""
    driver = DRIVER.search(output)
    devices: list[dict[str, Any]] = []
    waits = False
    for line in output.splitlines():
        if match := FIRST.match(line):
            bus = match[3].lower()
            place = bus if len(bus.split(":")[0]) > len("0000") else f"0000{bus}"
            memory = _amount(MEMORY.search(match[4])) or 0
            devices.append(
                {"index": int(match[1]), "product_name": match[2], "uuid": place, "pci_bus_id": place,
                 "memory_total_bytes": memory * MIB}
            )  # fmt: skip
            waits = True
        elif waits and (match := SECOND.match(line)):
            width, heat = _amount(WIDTH.match(match[1])), _amount(HEAT.match(match[2]))
            devices[-1] |= {"pcie_width": width, "temperature_celsius": heat}
            waits = False
    if not devices or driver is None:
        raise ParseError(1, output, "the table of mthreads-gmi with at least one accelerator")
    return Accelerators(
        driver_version=driver[1], cuda_driver_version="", devices=[Device.bare(**device) for device in devices]
    )


def _amount(match: re.Match[str] | None) -> int | None:
    return int(match[1]) if match else None


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    vendors=("moore-threads",),
    command=("mthreads-gmi",),
)
