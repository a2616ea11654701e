"""Prints time sources as `chronyc -c -n sources` does."""

from rackwright.model.evidence.host import ClockSources


def render(seen: ClockSources) -> bytes:
    """The lines whose parse is `seen`."""
    return "".join(
        f"^,{one.state},{one.name},{one.stratum},6,{one.reach:o},34,-0.000012,-0.000013,0.000321\n"
        for one in seen.sources
    ).encode()
