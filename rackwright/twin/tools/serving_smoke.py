"""What ``rackwright-burn serving`` says on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.smoke import Serving
from rackwright.twin.hardware.performance import smoke
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Serving:
    """Every accelerator that a job gets."""
    return smoke.serving(state, design, node)
