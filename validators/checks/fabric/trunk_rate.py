"""Every cable between two switches of the subnets runs at its planned rate."""

from collections.abc import Iterator

from rackwright import compare
from rackwright.compare import network, subnets
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import Subnet, Subnets
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Subnets) -> Finding:
    """The printed speed of every planned end that is connected (lanes times the rate of one) beside that of the plan."""
    lane = compare.limit(expectation, "fabric.lane_gbps", speed="NDR")
    if lane is None:
        return compare.no_limit(expectation, "fabric.lane_gbps")
    readings: dict[str, str | None] = {f"subnet of {port}": None for port in seen.unread}
    for subnet in seen.subnets.values():
        for place, found in rates(expectation, subnet):
            if readings.get(place, GOOD) == GOOD:  # several own ports may show the same cable: the worst is kept
                readings[place] = found
    return compare.every(
        expectation,
        readings,
        lambda found: found == GOOD,
        what="cables between switches:",
        expected="the planned rate",
        source=f"design; {compare.limit_source(lane)}",
    )


GOOD = "at the planned rate"


def rates(expectation: Expectation, subnet: Subnet) -> Iterator[tuple[str, str | None]]:
    """Every planned end that is connected: its place, and what is said of its rate."""
    known = dict[str, float | None]()
    for cable, switch, port, speed, wanted in subnets.speeds(expectation, subnet):
        if speed not in known:
            known[speed] = gbps(expectation, speed)
        found = known[speed]
        slow = found is not None and found < wanted
        yield (
            f"cable {cable} at {switch} port {port}",
            f"{found:g} of {wanted} Gb/s ({speed})" if slow else None if found is None else GOOD,
        )


def gbps(expectation: Expectation, printed: str) -> float | None:
    """The rate of a printed speed (``4xNDR``); None for one that has no known rate."""
    lanes, _, speed = printed.partition("x")
    row = compare.limit(expectation, "fabric.lane_gbps", speed=speed)
    return None if row is None or not lanes.isdigit() else int(lanes) * compare.number(row)


CHECK = Check(
    title="Cables between switches run at the planned rate", reads=Subnets, judge=judge, applies=network.manages_subnets
)
