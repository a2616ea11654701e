"""What ``dcgmi diag`` says on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.load import Diagnosis
from rackwright.twin.hardware.performance import burn
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Diagnosis:
    """Every test on every accelerator that is there."""
    bill = design.site.software.bill(design.node(node).pool)
    return burn.diagnosis(state.machines[node], (bill.dcgm, bill.driver))
