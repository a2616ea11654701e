"""No Ethernet port of the node loses its carrier repeatedly."""

from collections.abc import Mapping

from rackwright.compare import network
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.network import Ethernet


def downs_per_day(expectation: Expectation, ethernet: Ethernet, _: float) -> Mapping[str, float | None]:
    """Carrier losses of each port since boot, per day; an uptime below a day counts as a day."""
    days = max(1, ethernet.uptime_seconds / network.SECONDS_PER_DAY)
    return network.by_interface(
        expectation, ethernet, lambda port: None if port.carrier_downs is None else round(port.carrier_downs / days, 1)
    )


CHECK = threshold(
    reads=Ethernet,
    metric="link.downs_per_day",
    readings=downs_per_day,
    good=at_most,
    what="times a day that a port loses its carrier,",
    applies=network.carries_ethernet,
)
