"""No RDMA link of the node goes down repeatedly."""

from rackwright.compare import network
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.evidence.link import LinkReading, Links


def downs_per_day(link: LinkReading) -> float | None:
    """Times that a link went down since its counters were cleared, per day; less than a day counts as a day."""
    if link.downs is None or link.minutes is None:
        return None
    return round(link.downs / max(1, link.minutes / network.MINUTES_PER_DAY), 1)


CHECK = threshold(
    reads=Links,
    metric="link.downs_per_day",
    readings=lambda expectation, links, _: network.by_link(expectation, links, downs_per_day),
    good=at_most,
    what="times a day that a link goes down,",
    applies=network.carries_rdma,
)
