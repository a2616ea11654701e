"""Prints the flows around a ring as perftest does, every line with whose it is."""

from rackwright.model.evidence.rail import RailRing
from rackwright.twin.guest.products import perftest_text


def render(seen: RailRing) -> bytes:
    """The output whose parse is `seen`."""
    return perftest_text.ring(seen.tool, seen.model_dump()["flows"]).encode()
