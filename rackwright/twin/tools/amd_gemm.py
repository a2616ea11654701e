"""What ``rackwright-burn amd-gemm`` prints on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.load import Burn
from rackwright.twin.hardware.performance import amd_text, model, vendors
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Burn:
    """Every accelerator that is there."""
    if not model.working(state.machines[node]):
        raise Silent(f"{node} shows no accelerator")
    return vendors.amd_burn(state, design, node)


def render(record: Burn) -> bytes:
    """The output that the collector parses to `record`."""
    return amd_text.burn(record).encode()
