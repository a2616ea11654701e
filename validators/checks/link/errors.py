"""No error counter of an RDMA port of the node is above the threshold of the fabric diagnostics."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding

SURE = "symbol_error"
"""A counter that every adapter has and that has a limit, so that its row says where limits come from."""


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """Compare every nonzero counter with its limit; a port that lacks a counter of its neighbours is a missing reading."""
    row = compare.limit(expectation, "link.counter", counter=SURE)
    if row is None:
        return compare.no_limit(expectation, "link.counter")
    names = {SURE}.union(*(device.counters for device in record.devices.values()))
    counted = {name for device in record.devices.values() for name, count in device.counters.items() if count}
    rows = {name: compare.limit(expectation, "link.counter", counter=name) for name in sorted(counted)}
    limits = {name: compare.number(limit) for name, limit in rows.items() if limit is not None}
    return compare.every(
        expectation,
        network.by_device(
            expectation,
            record,
            lambda device: high(device.counters, limits) if names <= device.counters.keys() else None,
        ),
        lambda state: state == GOOD,
        what="error counters of port",
        expected="each below its threshold",
        source=compare.limit_source(row),
    )


GOOD = "below thresholds"


def high(counters: dict[str, int], limits: dict[str, float]) -> str:
    """The counters above their limit, or `GOOD`."""
    bad = [f"{name} {counters[name]} of {most:g}" for name, most in limits.items() if counters[name] > most]
    return ", ".join(bad) or GOOD


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_rdma)
