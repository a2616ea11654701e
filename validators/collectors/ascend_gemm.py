"""Matrix products on every NPU of an Ascend node for minutes: ``ascend-dmi -f``, run after run, with what npu-smi shows meanwhile.

Shape: MindCluster toolbox 5.0 to 7.1: ``Device  Execute Times  Duration(ms)  TFLOPS@FP16  Power(W)`` and one row. The products are of 256 by 32
by 128 on every core, so `size` is 256; it compares no results.
"""

from rackwright.collect.collector import Collector
from rackwright.collect.loadlogs import ascend, burns, sections
from rackwright.collect.loadlogs.sections import Section
from rackwright.model.evidence.load import Burn

MINUTES = 5
SPARE_SECONDS = 240
EDGE = 256
"""Rows of the first matrix (Huawei, Ascend DMI, computing power test, table 1)."""


def parse(output: str) -> Burn:
    """Every section."""
    parts = sections.read_sections(output, ("dmi", "board", "gemm", "sample"), ("dmi", "board", "gemm"))
    who = ascend.identities(parts["board"])
    devices = burns.devices(who, parts["gemm"], ascend.samples(parts["sample"]), _rate, lambda _: EDGE)
    return Burn(tool=ascend.version(parts["dmi"][0]), devices=devices)


def _rate(section: Section) -> float:
    return sections.table_cell(section, f"TFLOPS@{section.word('precision').upper()}")


COLLECTOR = Collector(
    produces=Burn,
    parse=parse,
    seconds=MINUTES * 60 + SPARE_SECONDS,
    roles=("accelerator",),
    command=("rackwright-burn", "ascend-gemm", "--seconds", str(MINUTES * 60)),
    vendors=("huawei",),
    load=True,
    place=3,
)
