"""Memory of every accelerator of an AMD node, copied within itself: BabelStream for HIP.

Shape: UoB-HPC/BabelStream 4.0 and 5.0: ``Function    MBytes/sec  Min (sec)   Max         Average`` and a row for each kernel. Its Copy counts
bytes read and bytes written, as our own copies do.
"""

from typing import NoReturn

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import amd, sections
from rackwright.collect.loadlogs.sections import Section
from rackwright.model.evidence.load import DeviceMemorySpeed, MemoryBandwidth

MEGA_IN_GIGA = 1000
KERNEL, HEAD, VERSION = "Copy", "Function", "Version:"


def parse(output: str) -> MemoryBandwidth:
    """Every run of every accelerator."""
    parts = sections.read_sections(output, ("list", "static", "stream"), ("list", "static", "stream"))
    who = amd.identities(parts["list"][0], parts["static"][0])
    for section in parts["stream"]:
        if section.integer("device") not in who:
            raise ParseError(section.line, f"device={section.facts['device']}", "an accelerator that amd-smi lists")
    totals = [line.split()[1] for line in parts["stream"][0].text.splitlines() if line.startswith(f"{VERSION} ")]
    devices = [
        DeviceMemorySpeed(
            **identity, bytes=streams[0].integer("bytes"), copy_gbytes_per_s=[_rate(stream) for stream in streams]
        )
        for number, identity in who.items()
        if (streams := [stream for stream in parts["stream"] if stream.integer("device") == number])
    ]
    return MemoryBandwidth(tool=" ".join(["BabelStream", *totals[:1]]), devices=devices)


def _rate(section: Section) -> float:
    lines = [line.split() for line in section.text.splitlines()]
    headed = any(words[:2] == [HEAD, "MBytes/sec"] for words in lines)
    row = next((words for words in lines if words[:1] == [KERNEL] and len(words) > 1), None)
    try:
        return round(float(row[1]) / MEGA_IN_GIGA, 4) if headed and row is not None else _refused(section)
    except ValueError:
        return _refused(section)


def _refused(section: Section) -> NoReturn:
    raise ParseError(section.line, section.text[-200:], "a table of BabelStream with MBytes/sec and Copy")


COLLECTOR = Collector(
    produces=MemoryBandwidth,
    parse=parse,
    seconds=600,
    roles=("accelerator",),
    command=("rackwright-burn", "amd-hbm"),
    vendors=("amd",),
    load=True,
    place=2,
)
