"""What cnmon prints on a node of the twin; the program on its hosts prints the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.guest.vendors import cnmon
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import _vendor

READINGS = frozenset({"power_watts", "power_limit_watts", "health"})


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with the readings of cnmon info."""
    bill = design.site.software.bill(design.node(node).pool)
    record = _vendor.observe(state, design, node, bill.vendor_driver, READINGS)
    devices = [
        device.model_copy(update={"pci_bus_id": "", "health": "Good" if device.health == "OK" else "Bad"})
        for device in record.devices
    ]
    return record.model_copy(update={"devices": devices})


def render(record: Accelerators) -> bytes:
    """The blocks of ``cnmon info``; powers must be whole watts, memory whole MiB."""
    return f"{cnmon.info(_vendor.node(record))}\n".encode()
