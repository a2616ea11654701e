"""Prints the latency of rails as perftest does, rail by rail."""

from rackwright.model.evidence.rail import RailLatency
from rackwright.twin.performance import perftest_text


def render(seen: RailLatency) -> bytes:
    """The output whose parse is `seen`."""
    return perftest_text.latency(seen).encode()
