"""Accelerators, network adapters, NVSwitches and bridges on the PCI bus, with the way from each up to its root port.

`lspci -PP` prints that way in front of every function. Without root, capabilities are hidden: their readings are then None.
Shapes: pciutils 3.6 to 3.13 (ls-caps.c, ls-ecaps.c); only what the record holds is read, all the rest is passed over.
"""

import re
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.pci import Pci, PciDevice

HEADER = re.compile(r"((?:[0-9a-f:.]+/)*[0-9a-f:.]+) .*?\[([0-9a-f]{4})\]: .*\[([0-9a-f]{4}:[0-9a-f]{4})\]")
WANTED = ("02", "03", "0604", "0680", "12")
"""Classes that are kept: network, display, bridge, other bridge (NVSwitch), processing accelerator."""
GENERATIONS = {"2.5": 1, "5": 2, "8": 3, "16": 4, "32": 5, "64": 6, "128": 7}
"""GT/s per lane (PCI Express Base Specification)."""
NUMA = re.compile(r"NUMA node: (\d+)")
LINK = re.compile(r"LnkSta:\s*Speed ([\d.]+)GT/s.*?Width x(\d+)")
CONTROL = re.compile(r"MaxPayload (\d+) bytes, MaxReadReq (\d+) bytes")
ON = re.compile(r"(\w+)\+")
STATUS = ("CorrErr", "NonFatalErr", "FatalErr", "UnsupReq")

Found = dict[str, Any]


def parse(output: str) -> Pci:
    """Blocks that begin with a header line and go on with indented ones."""
    devices: list[Found] = []
    current: Found | None = None
    for number, line in enumerate(output.splitlines(), start=1):
        if line[:1].isspace():
            if current is not None:
                _read(current, line.strip())
        elif line:
            current = _begin(line, number)
            if current is not None:
                devices.append(current)
    if not devices:
        raise ParseError(1, output, "PATH CLASS [1234]: NAME [1234:5678] of lspci -D -PP -nn -vvv")
    return Pci(devices=[PciDevice(**device) for device in devices])


def _begin(line: str, number: int) -> Found | None:
    """A new function, or None for one of a class that nothing looks at."""
    match = HEADER.match(line)
    if match is None:
        raise ParseError(number, line, "PATH CLASS [1234]: NAME [1234:5678] of lspci -D -PP -nn -vvv")
    if not match[2].startswith(WANTED):
        return None
    domain, _, first = match[1].partition(":")
    places = [f"{domain}:{place}" for place in first.split("/")]
    empty = dict.fromkeys(
        ("numa_node", "generation", "width", "max_payload_bytes", "read_request_bytes", "acs", "errors")
    )
    return {"address": places[-1], "path": places[:-1], "pci_class": match[2], "pci_id": match[3], **empty}


def _read(device: Found, line: str) -> None:
    """One indented line."""
    if line.startswith("NUMA") and (match := NUMA.match(line)):
        device["numa_node"] = int(match[1])
    elif line.startswith("MaxPayload") and (match := CONTROL.match(line)):
        device["max_payload_bytes"], device["read_request_bytes"] = int(match[1]), int(match[2])
    elif line.startswith("DevSta:"):
        words = line.split()
        device["errors"] = [word for word in STATUS if f"{word}+" in words]
    elif line.startswith("LnkSta:") and (match := LINK.match(line)):
        device["generation"] = GENERATIONS.get(match[1])
        device["width"] = int(match[2])
    elif line.startswith("Physical Slot: "):
        device["slot"] = line.partition(": ")[2]
    elif line.startswith("[SN] Serial number: "):
        device["card"] = line.partition(": ")[2]
    elif line.startswith("ACSCtl:"):
        device["acs"] = ON.findall(line)


COLLECTOR = Collector(
    produces=Pci,
    parse=parse,
    as_root=True,
    seconds=60,
    roles=("accelerator",),
    command=("lspci", "-D", "-PP", "-nn", "-vvv"),
)
