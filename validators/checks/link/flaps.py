"""No RDMA link of the node goes down repeatedly."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import network
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.link import LinkReading, Links


def downs_per_day(link: LinkReading) -> float | None:
    """Times that a link went down since its counters were cleared, per day; less than a day counts as a day."""
    if link.downs is None or link.minutes is None:
        return None
    return round(link.downs / max(1, link.minutes / network.MINUTES_PER_DAY), 1)


def readings(expectation: Expectation, links: Links, _: float) -> Mapping[str, float | None]:
    """Downs per day of every port, without those whose adapter prints no such counter."""
    row = compare.limit(expectation, "link.uncounted_adapters")
    uncounted = compare.words(row) if row is not None else []
    silent = {name for port in expectation.node.server.ports if port.adapter in uncounted for name in port.names}
    planned = network.nvidia_links(expectation)
    counted = {network.port_place(link): link.port not in silent for link in planned}
    by_port = network.by_link(expectation, links, downs_per_day)
    return {place: downs for place, downs in by_port.items() if downs is not None or counted[place]}


CHECK = threshold(
    reads=Links,
    metric="link.downs_per_day",
    readings=readings,
    good=at_most,
    what="times a day that a link goes down,",
    applies=network.has_mlxlink,
)
