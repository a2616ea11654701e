"""What `dmidecode` lists on a node of the twin."""

from __future__ import annotations

import hashlib

from rackwright.model.design import Design
from rackwright.model.evidence.memory import Dimm, Memory
from rackwright.twin.hardware.parts.system import GIB
from rackwright.twin.hardware.state import State

ANSWERED = True
MIB = 2**20


def observe(state: State, design: Design, node: str) -> Memory:
    """Every slot with the module in it; an empty one has no speed and no serial number."""
    del design
    return Memory(
        dimms=[
            Dimm(
                slot=dimm.slot,
                bytes=dimm.gib * GIB,
                kind="DDR5" if dimm.gib else "",
                manufacturer="Samsung" if dimm.gib else "",
                serial=hashlib.sha256(f"{node}/{dimm.slot}".encode()).hexdigest()[:8].upper() if dimm.gib else "",
                part="M321R8GA0BB0-CQKZJ" if dimm.gib else "",
                rated_mts=dimm.rated_mts if dimm.gib else None,
                running_mts=dimm.running_mts if dimm.gib else None,
            )
            for dimm in state.machines[node].system.dimms
        ]
    )


def render(record: Memory) -> bytes:
    """The blocks that the collector parses to `record`; sizes come in MiB and must be whole ones."""
    head = "# dmidecode 3.4\nGetting SMBIOS data from sysfs.\nSMBIOS 3.5.0 present.\n\n"
    return (head + "\n".join(_block(number, dimm) for number, dimm in enumerate(record.dimms))).encode()


def _block(number: int, dimm: Dimm) -> str:
    fields = {
        "Array Handle": "0x0029",
        "Total Width": "80 bits" if dimm.bytes else "Unknown",
        "Data Width": "64 bits" if dimm.bytes else "Unknown",
        "Size": _size(dimm.bytes),
        "Form Factor": "DIMM",
        "Locator": dimm.slot,
        "Bank Locator": f"NODE {number}",
        "Type": dimm.kind or "Unknown",
        "Speed": _speed(dimm.rated_mts),
        "Manufacturer": dimm.manufacturer or "Not Specified",
        "Serial Number": dimm.serial or "Not Specified",
        "Part Number": dimm.part or "Not Specified",
        "Configured Memory Speed": _speed(dimm.running_mts),
    }
    lines = "".join(f"\t{key}: {value}\n" for key, value in fields.items())
    return f"Handle 0x{0x2B + number:04X}, DMI type 17, 92 bytes\nMemory Device\n{lines}"


def _size(size: int | None) -> str:
    if size is None:
        return "Unknown"
    if not size:
        return "No Module Installed"
    return f"{size // GIB} GB" if size % GIB == 0 else f"{size // MIB} MB"


def _speed(transfers: int | None) -> str:
    return "Unknown" if transfers is None else f"{transfers} MT/s"
