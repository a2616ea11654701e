"""No error counter of an RDMA port of the node is above what the diagnostics of the fabric tolerate."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Rdma) -> Finding:
    """Every counter that has a limit, on every planned port."""
    names = sorted({name for one in seen.devices.values() for name in one.counters})
    rows = {name: row for name in names if (row := compare.limit(expectation, "link.counter", counter=name))}
    if not rows:
        return compare.no_limit(expectation, "link.counter")
    limits = {name: compare.number(row) for name, row in rows.items()}
    return compare.every(
        expectation,
        network.by_device(
            expectation, seen, lambda one: high(one.counters, limits) if limits.keys() <= one.counters.keys() else None
        ),
        lambda found: found == GOOD,
        what="error counters of port",
        expected="each below its threshold",
        source=compare.limit_source(next(iter(rows.values()))),
    )


GOOD = "below thresholds"


def high(counters: dict[str, int], limits: dict[str, float]) -> str:
    """The counters above their limit, or `GOOD`."""
    bad = [f"{name} {counters[name]} of {most:g}" for name, most in limits.items() if counters[name] > most]
    return ", ".join(bad) or GOOD


CHECK = Check(title="Error counters are low", reads=Rdma, judge=judge, applies=network.carries_rdma)
