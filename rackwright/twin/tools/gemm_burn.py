"""What ``rackwright-burn gemm`` says on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.load import Burn
from rackwright.twin.hardware.performance import burn, model
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Burn:
    """Every accelerator that is there."""
    return burn.burn(state, model.expectation(design, node), state.machines[node])
