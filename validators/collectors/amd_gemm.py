"""Matrix products on every accelerator of an AMD node for minutes: hipblaslt-bench, run after run, with what amd-smi shows meanwhile.

Shape: ROCm/hipBLASLt clients (6.1 to 7.0): a head ``[0]:transA,...,m,n,k,...,hipblaslt-Gflops,hipblaslt-GB/s,us`` and one row. It compares no
results, so a wrong one shows elsewhere.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import amd, burns, sections
from rackwright.collect.loadlogs.sections import Section
from rackwright.model.evidence.load import Burn

MINUTES = 5
SPARE_SECONDS = 300
"""For filling matrices before every run, and for the last run to end."""
GIGA_IN_TERA = 1000
RATE = "hipblaslt-Gflops"


def parse(output: str) -> Burn:
    """Every section."""
    parts = sections.read_sections(output, ("list", "static", "gemm", "sample"), ("list", "static", "gemm"))
    who = amd.identities(parts["list"][0], parts["static"][0])
    devices = burns.devices(
        who, parts["gemm"], amd.samples(parts["sample"]), _rate, lambda section: int(_row(section)["m"])
    )
    return Burn(tool="hipblaslt-bench", devices=devices)


def _rate(section: Section) -> float:
    return round(float(_row(section)[RATE]) / GIGA_IN_TERA, 4)


def _row(section: Section) -> dict[str, str]:
    """The one row, by column."""
    lines = section.text.splitlines()
    at = next((number for number, line in enumerate(lines) if RATE in line), None)
    if at is None or at + 1 >= len(lines):
        raise ParseError(section.line, section.text[-200:], f"a table of hipblaslt-bench with {RATE}")
    names = [name.strip() for name in lines[at].split("]", 1)[-1].lstrip(":").split(",")]
    cells = [word.strip() for word in lines[at + 1].split(",")]
    row = dict(zip(names, cells, strict=False))
    try:
        float(row[RATE]), int(row["m"])
    except (KeyError, ValueError):
        raise ParseError(section.line + at + 2, lines[at + 1], f"a row with m and {RATE}") from None
    return row


COLLECTOR = Collector(
    produces=Burn,
    parse=parse,
    seconds=MINUTES * 60 + SPARE_SECONDS,
    roles=("accelerator",),
    command=("rackwright-burn", "amd-gemm", "--seconds", str(MINUTES * 60)),
    vendors=("amd",),
    load=True,
    place=3,
)
