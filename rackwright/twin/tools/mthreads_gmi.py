"""What mthreads-gmi prints on a node of the twin; the program on its hosts prints the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.guest.vendors import mthreads_gmi
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import _vendor

READINGS = frozenset({"pcie_width", "temperature_celsius"})


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with the readings of mthreads-gmi, which names them by their bus address."""
    bill = design.site.software.bill(design.node(node).pool)
    record = _vendor.observe(state, design, node, bill.vendor_driver, READINGS)
    devices = [device.model_copy(update={"uuid": device.pci_bus_id}) for device in record.devices]
    return record.model_copy(update={"devices": devices})


def render(record: Accelerators) -> bytes:
    """The table; memory must be whole MiB."""
    return f"{mthreads_gmi.table(_vendor.node(record))}\n".encode()
