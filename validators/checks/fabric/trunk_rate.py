"""Every cable between two switches of the subnets runs at its planned rate."""

from rackwright import compare
from rackwright.compare import network, subnets
from rackwright.compare.threshold import threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.fabric import Subnets


def rates(expectation: Expectation, record: Subnets, _: float) -> compare.NamedReadings[str | None]:
    """The rate of every connected planned end, from its printed speed; if several ports show the same cable, the worst
    is kept.
    """
    slow: dict[str, str | None] = {}
    good, slower = subnets.rate_ends(expectation, record.subnets.values(), lambda printed: gbps(expectation, printed))
    for place, speed, measured, planned in slower:
        slow.setdefault(place, None if measured is None else f"{measured:g} of {planned} Gb/s ({speed})")
    unread = [f"subnet of {port}" for port in record.unread]
    return compare.NamedReadings(
        [*[None] * len(unread), *slow.values(), *[GOOD] * len(good)],
        lambda: [*unread, *slow, *subnets.end_names(expectation, good)],
    )


GOOD = "at the planned rate"


def gbps(expectation: Expectation, printed: str) -> float | None:
    """The rate of a printed speed (``4xNDR``); None without a limit for it."""
    lanes, _, speed = printed.partition("x")
    row = compare.limit(expectation, "fabric.lane_gbps", speed=speed)
    return None if row is None or not lanes.isdigit() else int(lanes) * compare.number(row)


CHECK = threshold(
    reads=Subnets,
    metric="fabric.lane_gbps",
    speed="NDR",
    readings=rates,
    good=lambda state, _: state == GOOD,
    what="cables between switches:",
    expected="the planned rate",
    source="design",
    applies=network.manages_subnets,
)
