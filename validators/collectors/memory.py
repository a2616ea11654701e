"""Memory modules of one host as its firmware lists them: `dmidecode --type 17` (SMBIOS 3.7, memory device)."""

import re
from functools import lru_cache

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.memory import Dimm, Memory

UNITS = {"k": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
"""As dmidecode writes them, ``GB`` until 3.6 and ``GiB`` in 3.7; SMBIOS counts in powers of two."""
SPEED = re.compile(r"(\d+) MT/s$")
SIZE = re.compile(r"(\d+) ([kMGT])i?B$")
SERIAL = "\n\tSerial Number: "
UNSAID = {"Unknown", "Not Specified", "Not Provided", "None", "NO DIMM", "Undefined"}


def parse(output: str) -> Memory:
    """One block per slot, indented by a tab under ``Memory Device``."""
    blocks = [part for part in f"\n{output}".split("\nMemory Device")[1:] if not part.partition("\n")[0].strip()]
    if not blocks:
        raise ParseError(1, output, "at least one Memory Device of dmidecode")
    return Memory(dimms=[_dimm(block.partition("\n\n")[0]) for block in blocks])


def _dimm(block: str) -> Dimm:
    """The modules of a fleet differ in their serial numbers alone, so that each of the other texts is read once."""
    before, separator, after_serial = block.rpartition(SERIAL)
    if not separator:
        return _read(block)
    serial, _, after = after_serial.partition("\n")
    fields = _read(f"{before}\n{after}")
    return Dimm.unvalidated(**(fields.__dict__ | {"serial": _text(serial.strip())}))


@lru_cache(maxsize=4096)
def _read(block: str) -> Dimm:
    fields: dict[str, str] = {}
    for line in block.splitlines()[1:]:
        if not line.startswith("\t"):
            break
        key, separator, value = line.partition(":")
        if separator and not line.startswith("\t\t"):
            fields[key.strip()] = value.strip()
    if "Locator" not in fields or "Size" not in fields:
        raise ParseError(1, ", ".join(fields), "Locator and Size of a memory device")
    return Dimm(
        slot=fields["Locator"],
        bytes=_bytes(fields["Size"]),
        kind=_text(fields.get("Type", "")),
        manufacturer=_text(fields.get("Manufacturer", "")),
        serial=_text(fields.get("Serial Number", "")),
        part=_text(fields.get("Part Number", "")),
        rated_mts=_speed(fields.get("Speed", "")),
        running_mts=_speed(fields.get("Configured Memory Speed", fields.get("Configured Clock Speed", ""))),
    )


def _bytes(text: str) -> int | None:
    if text == "Unknown":
        return None
    if text == "No Module Installed":
        return 0
    match = SIZE.match(text)
    if match is None:
        raise ParseError(1, text, "a size like 64 GB, or No Module Installed")
    return int(match[1]) * UNITS[match[2]]


def _text(value: str) -> str:
    return "" if value in UNSAID else value


def _speed(text: str) -> int | None:
    match = SPEED.match(text)
    return int(match[1]) if match else None


COLLECTOR = Collector(
    produces=Memory,
    parse=parse,
    as_root=True,
    seconds=20,
    roles=("accelerator",),
    command=("dmidecode", "--type", "17"),
)
