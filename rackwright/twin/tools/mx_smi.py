"""What mx-smi prints on a node of the twin; the program on its hosts prints the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.guest.vendors import mx_smi
from rackwright.twin.hardware.state import State
from rackwright.twin.mirror import definition
from rackwright.twin.tools import _vendor

READINGS = frozenset({"temperature_celsius", "power_watts", "power_limit_watts", "health"})
STATES = {"OK": "Available", "Alarm": "Unavailable"}


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with the readings of mx-smi, which names them by their bus address."""
    release = design.site.software.bill(design.node(node).pool).vendor_driver
    driver = definition.module_version("metax", release) if release else ""
    record = _vendor.observe(state, design, node, driver, READINGS)
    devices = [
        device.model_copy(update={"uuid": device.pci_bus_id, "health": STATES[str(device.health)]})
        for device in record.devices
    ]
    return record.model_copy(update={"devices": devices})


def render(record: Accelerators) -> bytes:
    """The table; memory must be whole MiB, powers whole watts."""
    return f"{mx_smi.table(_vendor.node(record))}\n".encode()
