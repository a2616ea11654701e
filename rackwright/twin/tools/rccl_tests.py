"""What rccl-tests prints on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.collective import NodeCollectives
from rackwright.twin.hardware.performance import collectives, nccl_text
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> NodeCollectives:
    """Every collective among the accelerators that are there."""
    return NodeCollectives(results=collectives.inside(state, design, node))


def render(record: NodeCollectives) -> bytes:
    """The output that the collector parses to `record`."""
    return nccl_text.text(record.results).encode()
