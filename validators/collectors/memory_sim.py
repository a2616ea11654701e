"""Prints memory modules as `dmidecode --type 17` does."""

from rackwright.model.evidence.memory import Dimm, Memory

MIB, GIB = 2**20, 2**30


def render(seen: Memory) -> bytes:
    """The blocks whose parse is `seen`; sizes come in MiB and must be whole ones."""
    head = "# dmidecode 3.4\nGetting SMBIOS data from sysfs.\nSMBIOS 3.5.0 present.\n\n"
    return (head + "\n".join(_block(number, one) for number, one in enumerate(seen.dimms))).encode()


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
