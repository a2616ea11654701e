"""What brsmi prints on a node of the twin; the program on its hosts prints the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.guest.vendors import brsmi
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import _vendor

READINGS: frozenset[str] = frozenset()


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with the few readings of brsmi."""
    record = _vendor.observe(state, design, node, "", READINGS)
    devices = [device.model_copy(update={"pci_bus_id": ""}) for device in record.devices]
    return record.model_copy(update={"devices": devices, "driver_version": ""})


def render(record: Accelerators) -> bytes:
    """The lines of the collector's query; memory must be whole MiB."""
    fields = ["index", "name", "uuid", "memory.total"]
    return brsmi.query(_vendor.node(record), fields, ["csv", "noheader", "nounits"]).encode()
