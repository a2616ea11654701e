"""Prints a clock as `chronyc -c tracking` does; what the record does not hold is printed as a quiet clock's."""

from rackwright.model.evidence.host import Clock


def render(seen: Clock) -> bytes:
    """The report whose parse is `seen`."""
    line = (
        f"7F000001,{seen.reference},{seen.stratum},1795248121.473858654,{seen.offset_seconds!r},-0.000001366,"
        f"0.000001607,{_maybe(seen.frequency_ppm)},0.001,0.120,{_maybe(seen.root_delay_seconds)},"
        f"{_maybe(seen.root_dispersion_seconds)},1.0,{seen.leap_status}\n"
    )
    return line.encode()


def _maybe(value: float | None) -> str:
    return "" if value is None else repr(value)
