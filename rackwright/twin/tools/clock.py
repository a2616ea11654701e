"""What `chronyc tracking` says on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.host import Clock
from rackwright.twin.hardware.state import State

NO_REFERENCE = Clock(
    reference="00000000",
    stratum=0,
    offset_seconds=0.0,
    leap_status="Not synchronised",
    frequency_ppm=0.0,
    root_delay_seconds=1.0,
    root_dispersion_seconds=1.0,
)
"""The report of a daemon that has heard nobody yet (chronyc 4.3)."""


def observe(state: State, design: Design, node: str) -> Clock:
    """The clock as its daemon sees it; unsynchronised where no time server answers."""
    machine = state.machines[node]
    if machine.ntp_unreachable:
        return NO_REFERENCE
    return Clock(
        reference=design.site.control.ntp_servers[0],
        stratum=machine.system.clock_stratum,
        offset_seconds=machine.system.clock_offset_seconds,
        leap_status="Normal",
        frequency_ppm=machine.system.clock_frequency_ppm,
        root_delay_seconds=0.000124,
        root_dispersion_seconds=machine.system.clock_dispersion_seconds,
    )
