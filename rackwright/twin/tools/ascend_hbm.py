"""What ``rackwright-burn ascend-hbm`` prints on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.load import MemoryBandwidth
from rackwright.twin.hardware.performance import ascend_text, model, vendors
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent

ANSWERED = True


def observe(state: State, design: Design, node: str) -> MemoryBandwidth:
    """Every accelerator that is there."""
    if not model.working(state.machines[node]):
        raise Silent(f"{node} shows no accelerator")
    return vendors.ascend_memory(state, design, node)


def render(record: MemoryBandwidth) -> bytes:
    """The output that the collector parses to `record`."""
    return ascend_text.memory(record).encode()
