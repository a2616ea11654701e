"""What hl-smi prints on a node of the twin; the program on its hosts prints the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.guest.vendors import hl_smi
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import _vendor

FIELDS = ["index", "uuid", "name", "serial", "bus_id", "driver_version", "memory.total", "power.draw", "power.max", "temperature.aip"]  # fmt: skip
READINGS = frozenset({"serial", "temperature_celsius", "power_watts", "power_limit_watts"})


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with the readings of hl-smi."""
    bill = design.site.software.bill(design.node(node).pool)
    return _vendor.observe(state, design, node, bill.vendor_driver, READINGS)


def render(record: Accelerators) -> bytes:
    """The lines of the collector's query; powers must be whole watts, memory whole MiB."""
    return hl_smi.query(_vendor.node(record), FIELDS, ["csv", "noheader", "nounits"]).encode()
