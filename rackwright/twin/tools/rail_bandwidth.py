"""What a node gets of the rails between it and its partners."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.rail import RailBandwidth
from rackwright.twin.guest.products import perftest_text
from rackwright.twin.hardware.performance import rails
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent


def observe(state: State, design: Design, node: str) -> RailBandwidth:
    """Every rail, both ways, with each of its partners."""
    if not rails.partners(state, node):
        raise Silent(f"{node} has no partner to measure its rails with")
    return rails.bandwidth(state, design, node)


def render(record: RailBandwidth) -> bytes:
    """The output that the collector parses to `record`."""
    return perftest_text.bandwidth(record.tool, record.model_dump()["rails"]).encode()
