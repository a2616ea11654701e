"""The PCI bus of one node (`lspci`): accelerators, network adapters, NVSwitches and the bridges above them."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.base import Record

BRIDGE = "0604"
ACCELERATOR_CLASSES = ("03", "12")
"""Display controllers and processing accelerators (PCI code and id assignment specification)."""


class PciDevice(Record):
    """One function. None means that it does not report the value, or that the account was not allowed to read it."""

    address: str
    """``domain:bus:device.function``, lower case (``0000:1b:00.0``)."""
    path: list[str]
    """Addresses of the bridges above it, the root port first."""
    pci_class: str
    """Four hex digits (``0302``)."""
    pci_id: str
    """Vendor and device, four hex digits each (``10de:2330``)."""
    numa_node: int | None
    generation: int | None
    """Of the link as it runs now."""
    width: int | None
    max_payload_bytes: int | None
    read_request_bytes: int | None
    acs: list[str] | None
    """Access Control Services that are on (``ReqRedir``); None where the function has none."""
    errors: list[str] | None
    """What its device status has seen since it was cleared (``CorrErr``, ``NonFatalErr``, ``FatalErr``, ``UnsupReq``)."""
    slot: str = ""
    """Number of its slot by the firmware (``Physical Slot``); empty where there is none."""
    card: str = ""
    """Serial number of its card in its product data; empty where it has none."""


class Pci(Record):
    """The functions of interest, in the order of `lspci`."""

    devices: list[PciDevice]

    def accelerators(self, vendor: str) -> list[PciDevice]:
        """Accelerators of the vendor with this PCI id."""
        return [
            device
            for device in self.devices
            if device.pci_class.startswith(ACCELERATOR_CLASSES) and device.pci_id.startswith(f"{vendor}:")
        ]

    def adapters(self, ids: Sequence[str]) -> list[PciDevice]:
        """Network adapters by their PCI ids."""
        return [device for device in self.devices if device.pci_id in ids]

    def above(self, devices: Sequence[PciDevice]) -> list[PciDevice]:
        """The bridges above `devices`, each once."""
        places = {place for device in devices for place in device.path}
        return [device for device in self.devices if device.address in places]


def shared(first: PciDevice, second: PciDevice) -> int:
    """Number of bridges that two functions share, from the root port down; more than one means that a switch joins them."""
    pairs = zip(first.path, second.path, strict=False)
    same = [mine == theirs for mine, theirs in pairs]
    return same.index(False) if False in same else len(same)
