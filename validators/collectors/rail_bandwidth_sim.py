"""Prints the bandwidth of rails as perftest does, rail by rail."""

from rackwright.model.evidence.rail import RailBandwidth
from rackwright.twin.performance import perftest_text


def render(seen: RailBandwidth) -> bytes:
    """The output whose parse is `seen`."""
    return perftest_text.bandwidth(seen).encode()
