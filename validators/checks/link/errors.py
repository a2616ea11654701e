"""No error counter of an RDMA port of the node is above the threshold of the fabric diagnostics."""

from rackwright import compare
from rackwright.compare import network
from rackwright.compare.threshold import threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.network import Rdma

SURE = "symbol_error"
"""A counter that every adapter has and that has a limit, used to name the source of the limits."""


def states(expectation: Expectation, rdma: Rdma, _: float) -> compare.NamedReadings[str | None]:
    """Every nonzero counter compared with its limit; a port that lacks a counter of its neighbours is a missing
    reading.
    """
    names = {SURE}.union(*(device.counters for device in rdma.devices.values()))
    counted = {name for device in rdma.devices.values() for name, count in device.counters.items() if count}
    rows = {name: compare.limit(expectation, "link.counter", counter=name) for name in sorted(counted)}
    limits = {name: compare.number(limit) for name, limit in rows.items() if limit is not None}
    return network.by_device(
        expectation, rdma, lambda device: high(device.counters, limits) if names <= device.counters.keys() else None
    )


GOOD = "below thresholds"


def high(counters: dict[str, int], limits: dict[str, float]) -> str:
    """The counters above their limit in words, or `GOOD`."""
    bad = [f"{name} {counters[name]} of {most:g}" for name, most in limits.items() if counters[name] > most]
    return ", ".join(bad) or GOOD


CHECK = threshold(
    reads=Rdma,
    metric="link.counter",
    counter=SURE,
    readings=states,
    good=lambda state, _: state == GOOD,
    what="error counters of port",
    expected="each below its threshold",
    applies=network.carries_rdma,
)
