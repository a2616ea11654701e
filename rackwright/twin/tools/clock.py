"""What `chronyc tracking` prints on a node of the twin."""

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
"""The report of a daemon that has no answer of a time server yet (chronyc 4.3)."""


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


def render(record: Clock) -> bytes:
    """The report that the collector parses to `record`."""
    line = (
        f"7F000001,{record.reference},{record.stratum},1795248121.473858654,{record.offset_seconds!r},-0.000001366,"
        f"0.000001607,{_repr_or_empty(record.frequency_ppm)},0.001,0.120,{_repr_or_empty(record.root_delay_seconds)},"
        f"{_repr_or_empty(record.root_dispersion_seconds)},1.0,{record.leap_status}\n"
    )
    return line.encode()


def _repr_or_empty(value: float | None) -> str:
    return "" if value is None else repr(value)
