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
    found = sections.read(output, ("list", "static", "stream"), ("list", "static", "stream"))
    who = amd.identities(found["list"][0], found["static"][0])
    for one in found["stream"]:
        if one.whole("device") not in who:
            raise ParseError(one.line, f"device={one.facts['device']}", "an accelerator that amd-smi lists")
    told = [line.split()[1] for line in found["stream"][0].text.splitlines() if line.startswith(f"{VERSION} ")]
    devices = [
        DeviceMemorySpeed(**identity, bytes=own[0].whole("bytes"), copy_gbytes_per_s=[_rate(one) for one in own])
        for number, identity in who.items()
        if (own := [one for one in found["stream"] if one.whole("device") == number])
    ]
    return MemoryBandwidth(tool=" ".join(["BabelStream", *told[:1]]), devices=devices)


def _rate(one: Section) -> float:
    lines = [line.split() for line in one.text.splitlines()]
    headed = any(words[:2] == [HEAD, "MBytes/sec"] for words in lines)
    row = next((words for words in lines if words[:1] == [KERNEL] and len(words) > 1), None)
    try:
        return round(float(row[1]) / MEGA_IN_GIGA, 4) if headed and row is not None else _refused(one)
    except ValueError:
        return _refused(one)


def _refused(one: Section) -> NoReturn:
    raise ParseError(one.line, one.text[-200:], "a table of BabelStream with MBytes/sec and Copy")


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
