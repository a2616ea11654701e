"""Every cable between two switches of the subnets runs at its planned rate."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import FabricLink, Subnets
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Subnets) -> Finding:
    """The printed speed of every planned end that is connected (lanes times the rate of one) beside that of the plan."""
    lane = compare.limit(expectation, "fabric.lane_gbps", speed="NDR")
    if lane is None:
        return compare.no_limit(expectation, "fabric.lane_gbps")
    readings: dict[str, str | None] = {f"subnet of {port}": None for port in seen.unread}
    for subnet in seen.subnets.values():
        planned = network.trunks(expectation, subnet)
        for link in subnet.links:
            end = (compare.switch_name(link.name), link.port)
            if end in planned and link.remote_kind == "Switch":
                place = f"cable {planned[end].cable} at {end[0]} port {link.port}"
                if readings.get(place, GOOD) == GOOD:  # several own ports may show the same cable: the worst is kept
                    readings[place] = said(expectation, link, planned[end].gbps)
    return compare.every(
        expectation,
        readings,
        lambda found: found == GOOD,
        what="cables between switches:",
        expected="the planned rate",
        source=f"design; {compare.limit_source(lane)}",
    )


GOOD = "at the planned rate"


def said(expectation: Expectation, link: FabricLink, gbps: int) -> str | None:
    """The rate where it is lower, or `GOOD`; None for a speed that has no known rate."""
    lanes, _, speed = link.speed.partition("x")
    row = compare.limit(expectation, "fabric.lane_gbps", speed=speed)
    if row is None or not lanes.isdigit():
        return None
    found = int(lanes) * compare.number(row)
    return GOOD if found >= gbps else f"{found:g} of {gbps} Gb/s ({link.speed})"


CHECK = Check(
    title="Cables between switches run at the planned rate", reads=Subnets, judge=judge, applies=network.manages_subnets
)
