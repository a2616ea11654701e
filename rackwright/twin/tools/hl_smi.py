"""What hl-smi says on a node of the twin; its stub on the hosts says the same."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import _vendor

TOLD = frozenset({"serial", "temperature_celsius", "power_watts", "power_limit_watts"})


def observe(state: State, design: Design, node: str) -> Accelerators:
    """The accelerators with what hl-smi tells."""
    bill = design.site.software.bill(design.node(node).pool)
    return _vendor.seen(state, design, node, bill.vendor_driver, TOLD)
