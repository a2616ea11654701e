"""What ``rackwright-burn finetune`` says on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.smoke import Training
from rackwright.twin.hardware.performance import smoke
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Training:
    """Every accelerator that a job gets."""
    return smoke.training(state, design, node)
