"""Every cable between two switches of the subnets runs at its planned rate."""

from rackwright import compare
from rackwright.compare import network, subnets
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import Subnets
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Subnets) -> Finding:
    """Compare the printed speed of every connected planned end (lanes times the rate of a lane) with the planned rate."""
    lane = compare.limit(expectation, "fabric.lane_gbps", speed="NDR")
    if lane is None:
        return compare.no_limit(expectation, "fabric.lane_gbps")
    slow: dict[str, str | None] = {}
    good, slower = subnets.rated(expectation, record.subnets.values(), lambda printed: gbps(expectation, printed))
    for place, speed, measured, planned in slower:  # several own ports may show the same cable: the worst is kept
        slow.setdefault(place, None if measured is None else f"{measured:g} of {planned} Gb/s ({speed})")
    unread = [f"subnet of {port}" for port in record.unread]
    return compare.every(
        expectation,
        compare.NamedReadings(
            [*[None] * len(unread), *slow.values(), *[GOOD] * len(good)],
            lambda: [*unread, *slow, *subnets.end_names(expectation, good)],
        ),
        lambda state: state == GOOD,
        what="cables between switches:",
        expected="the planned rate",
        source=f"design; {compare.limit_source(lane)}",
    )


GOOD = "at the planned rate"


def gbps(expectation: Expectation, printed: str) -> float | None:
    """The rate of a printed speed (``4xNDR``); None without a limit for it."""
    lanes, _, speed = printed.partition("x")
    row = compare.limit(expectation, "fabric.lane_gbps", speed=speed)
    return None if row is None or not lanes.isdigit() else int(lanes) * compare.number(row)


CHECK = Check(reads=Subnets, judge=judge, applies=network.manages_subnets)
