"""Every accelerator of a Biren node out of brsmi, one line of CSV each.

Shape: Project-HAMi/HAMi, validation of Biren SVI (2026). The fields asked are those that public scripts ask; bus address and serial
number are not among them.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import figures
from rackwright.model.evidence.accelerator import Accelerators, Device

FIELDS = ("index", "name", "uuid", "memory.total")
MIB = 2**20


def parse(output: str) -> Accelerators:
    """One line per accelerator."""
    devices = []
    for number, line in enumerate(output.splitlines(), start=1):
        values = [value.strip() for value in line.split(",")]
        if not line.strip():
            continue
        if len(values) != len(FIELDS) or not values[0].isdecimal():
            raise ParseError(number, line, "index, name, uuid and memory.total of brsmi gpu --query-gpu")
        index, name, uuid, memory = values
        total = (figures.integer(memory) or 0) * MIB
        devices.append(
            Device.bare(index=int(index), product_name=name, uuid=uuid, pci_bus_id="", memory_total_bytes=total)
        )
    if not devices:
        raise ParseError(1, output, "at least one accelerator of brsmi gpu --query-gpu")
    return Accelerators(driver_version="", cuda_driver_version="", devices=devices)


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    vendors=("biren",),
    command=("brsmi", "gpu", f"--query-gpu={','.join(FIELDS)}", "--format=csv,noheader,nounits"),
)
