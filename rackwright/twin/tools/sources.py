"""What `chronyc sources` lists on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.host import ClockSource, ClockSources
from rackwright.twin.hardware.state import State

ALWAYS = 0o377
"""Eight answers to the last eight polls."""


def observe(state: State, design: Design, node: str) -> ClockSources:
    """The time servers of the site: the first is followed, the next ones agree, unless a fault says otherwise."""
    machine = state.machines[node]
    sources = []
    for number, name in enumerate(design.site.control.ntp_servers):
        word = "*" if number == 0 else "+"
        word = "x" if number < machine.system.clock_falsetickers else word
        word = "?" if machine.ntp_unreachable else word
        reach = 0 if machine.ntp_unreachable else ALWAYS
        stratum = 0 if machine.ntp_unreachable else machine.system.clock_stratum - 1
        sources.append(ClockSource(name=name, selected=word == "*", state=word, stratum=stratum, reach=reach))
    return ClockSources(sources=sources)


def render(record: ClockSources) -> bytes:
    """The lines that the collector parses to `record`."""
    return "".join(
        f"^,{source.state},{source.name},{source.stratum},6,{source.reach:o},34,-0.000012,-0.000013,0.000321\n"
        for source in record.sources
    ).encode()
