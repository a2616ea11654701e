"""What a node gets of the collectives that it runs with its partners."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.collective import Collectives
from rackwright.twin.hardware.performance import nccl_text, rails, together
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent


def observe(state: State, design: Design, node: str) -> Collectives:
    """One run with each of its partners."""
    partners = rails.partners(state, node)
    if not partners:
        raise Silent(f"{node} has no partner to run a collective with")
    groups = [sorted((node, partner)) for partner in partners]
    return Collectives(results=[result for group in groups for result in together.between(state, design, group)])


def render(record: Collectives) -> bytes:
    """The output that the collector parses to `record`."""
    return nccl_text.text(record.results).encode()
