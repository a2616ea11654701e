"""Prints the bandwidth of rails as perftest does, rail by rail."""

from rackwright.model.evidence.rail import RailBandwidth
from rackwright.twin.guest.products import perftest_text


def render(seen: RailBandwidth) -> bytes:
    """The output whose parse is `seen`."""
    return perftest_text.bandwidth(seen.tool, seen.model_dump()["rails"]).encode()
