"""Memory of every NPU of an Ascend node, copied within itself: ``ascend-dmi --bw -t d2d``, several runs.

Shape: MindCluster toolbox 5.0 to 7.1 (recorded: 7.0): a table with ``Bandwidth(GB/s)``, sizes rising, so that the last row is the largest. The tool counts bytes
read and bytes written together (Huawei, Ascend DMI, bandwidth test).
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import ascend, sections
from rackwright.model.evidence.load import DeviceMemorySpeed, MemoryBandwidth

SPEED, SIZE = "Bandwidth(GB/s)", "Size(Bytes)"


def parse(output: str) -> MemoryBandwidth:
    """Every run of every NPU."""
    parts = sections.read_sections(output, ("dmi", "board", "memory"), ("dmi", "board", "memory"))
    who = ascend.identities(parts["board"])
    for section in parts["memory"]:
        if section.integer("device") not in who:
            raise ParseError(section.line, f"device={section.facts['device']}", "an NPU that npu-smi maps")
    devices = [
        DeviceMemorySpeed(
            **identity,
            bytes=int(sections.table_cell(measured[0], SIZE)),
            copy_gbytes_per_s=[sections.table_cell(section, SPEED) for section in measured],
        )
        for number, identity in sorted(who.items())
        if (measured := [section for section in parts["memory"] if section.integer("device") == number])
    ]
    return MemoryBandwidth(tool=ascend.version(parts["dmi"][0]), devices=devices)


COLLECTOR = Collector(
    produces=MemoryBandwidth,
    parse=parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "ascend-hbm"),
    vendors=("huawei",),
    load=True,
    place=2,
)
