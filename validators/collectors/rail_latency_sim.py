"""Prints the latency of rails as perftest does, rail by rail."""

from rackwright.model.evidence.rail import RailLatency
from rackwright.twin.guest.products import perftest_text


def render(seen: RailLatency) -> bytes:
    """The output whose parse is `seen`."""
    return perftest_text.latency(seen.tool, seen.model_dump()["rails"]).encode()
