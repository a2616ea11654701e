"""What nvbandwidth says on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.load import Copies
from rackwright.twin.hardware.performance import copies, model
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Copies:
    """Every way between host and accelerators."""
    driver = design.site.software.bill(design.node(node).pool).driver
    return copies.copies(state, model.expectation(design, node), state.machines[node], driver)
