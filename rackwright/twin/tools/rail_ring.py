"""What the rails of a node reach in rings with its partners, each towards the next rail."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.rail import RailRing
from rackwright.twin.guest.products import perftest_text
from rackwright.twin.hardware.performance import rails
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent


def observe(state: State, design: Design, node: str) -> RailRing:
    """All rings of two that it has with its partners."""
    if not rails.partners(state, node):
        raise Silent(f"{node} has no partner to measure its rails with")
    return rails.ring(state, design, node)


def render(record: RailRing) -> bytes:
    """The output that the collector parses to `record`."""
    return perftest_text.ring(record.tool, record.model_dump()["flows"]).encode()
