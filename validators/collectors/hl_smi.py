"""Every accelerator of a Gaudi node out of hl-smi, one line of CSV each.

Shape: Intel Gaudi documentation, hl-smi -Q; lablup/all-smi src/device/hlsmi (2026-08): fields in the order asked, ``, `` between.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import figures
from rackwright.model.evidence.accelerator import Accelerators, Device

FIELDS = (
    "index", "uuid", "name", "serial", "bus_id", "driver_version", "memory.total", "power.draw", "power.max", "temperature.aip",
)  # fmt: skip
MIB = 2**20


def parse(output: str) -> Accelerators:
    """One line per accelerator; ``N/A`` where the tool has no reading."""
    rows = [(number, line) for number, line in enumerate(output.splitlines(), start=1) if line.strip()]
    values = [_row(number, line) for number, line in rows]
    if not values:
        raise ParseError(1, output, f"{len(FIELDS)} values of hl-smi -Q")
    return Accelerators(
        driver_version=values[0]["driver_version"], cuda_driver_version="", devices=[_device(row) for row in values]
    )


def _row(number: int, line: str) -> dict[str, str]:
    values = [value.strip() for value in line.split(",")]
    if len(values) != len(FIELDS) or not values[0].isdecimal():
        raise ParseError(number, line, f"{len(FIELDS)} values of hl-smi -Q")
    return dict(zip(FIELDS, values, strict=True))


def _device(row: dict[str, str]) -> Device:
    return Device.bare(
        index=int(row["index"]),
        uuid=row["uuid"],
        serial="" if row["serial"] == "N/A" else row["serial"],
        product_name=row["name"],
        pci_bus_id=f"0000{row['bus_id'].lower()}",
        memory_total_bytes=(figures.integer(row["memory.total"]) or 0) * MIB,
        temperature_celsius=figures.integer(row["temperature.aip"]),
        power_watts=figures.decimal(row["power.draw"]),
        power_limit_watts=figures.decimal(row["power.max"]),
    )


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    vendors=("intel",),
    command=("hl-smi", "-Q", ",".join(FIELDS), "-f", "csv,noheader,nounits"),
)
