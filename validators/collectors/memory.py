"""Memory modules of one host as its firmware lists them: `dmidecode --type 17` (SMBIOS 3.7, memory device)."""

import re
from functools import lru_cache

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.memory import Dimm, Memory

UNITS = {"kB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}
"""As dmidecode writes them; SMBIOS counts in powers of two."""
SPEED = re.compile(r"(\d+) MT/s$")
SIZE = re.compile(r"(\d+) ([kMGT]B)$")
UNSAID = {"Unknown", "Not Specified", "Not Provided", "None", "NO DIMM", "Undefined"}


def parse(output: str) -> Memory:
    """One block per slot, indented by a tab under ``Memory Device``."""
    blocks: list[dict[str, str]] = []
    inside = False
    for line in output.splitlines():
        if not line.startswith("\t"):
            inside = line.strip() == "Memory Device"
            if inside:
                blocks.append({})
        elif inside and not line.startswith("\t\t"):
            key, value = _field(line)
            if key is not None:
                blocks[-1][key] = value
    if not blocks:
        raise ParseError(1, output, "at least one Memory Device of dmidecode")
    return Memory(dimms=[_dimm(block) for block in blocks])


@lru_cache(maxsize=4096)
def _field(line: str) -> tuple[str | None, str]:
    """Name and value; no name where the line has no colon. The modules of a fleet differ in their serial numbers alone."""
    key, separator, value = line.partition(":")
    return key.strip() if separator else None, value.strip()


def _dimm(block: dict[str, str]) -> Dimm:
    if "Locator" not in block or "Size" not in block:
        raise ParseError(1, ", ".join(block), "Locator and Size of a memory device")
    return Dimm(
        slot=block["Locator"],
        bytes=_bytes(block["Size"]),
        kind=_said(block, "Type"),
        manufacturer=_said(block, "Manufacturer"),
        serial=_said(block, "Serial Number"),
        part=_said(block, "Part Number"),
        rated_mts=_speed(block.get("Speed", "")),
        running_mts=_speed(block.get("Configured Memory Speed", block.get("Configured Clock Speed", ""))),
    )


@lru_cache(maxsize=256)
def _bytes(text: str) -> int | None:
    if text == "Unknown":
        return None
    if text == "No Module Installed":
        return 0
    found = SIZE.match(text)
    if found is None:
        raise ParseError(1, text, "a size like 64 GB, or No Module Installed")
    return int(found[1]) * UNITS[found[2]]


def _said(block: dict[str, str], key: str) -> str:
    value = block.get(key, "")
    return "" if value in UNSAID else value


@lru_cache(maxsize=256)
def _speed(text: str) -> int | None:
    found = SPEED.match(text)
    return int(found[1]) if found else None


COLLECTOR = Collector(
    produces=Memory, parse=parse, seconds=20, roles=("accelerator",), command=("dmidecode", "--type", "17")
)
