"""What hy-smi prints on a node of the twin; the program on its hosts prints the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.guest.vendors import rocm_smi
from rackwright.twin.hardware.state import State
from rackwright.twin.mirror import definition
from rackwright.twin.tools import _vendor

READINGS = frozenset({"serial", "temperature_celsius", "power_watts"})


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with the readings of hy-smi."""
    bill = design.site.software.bill(design.node(node).pool)
    driver = definition.module_version("hygon", bill.vendor_driver) if bill.vendor_driver else ""
    record = _vendor.observe(state, design, node, driver, READINGS)
    devices = [device.model_copy(update={"uuid": device.uuid.replace("-", "")[3:19]}) for device in record.devices]
    return record.model_copy(update={"devices": devices})


def render(record: Accelerators) -> bytes:
    """The JSON object of ``hy-smi --json``; memory must be whole MiB."""
    return f"{rocm_smi.document(_vendor.node(record), 'hygon', driver=True)}\n".encode()
