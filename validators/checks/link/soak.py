"""No error counter of an RDMA port grows while the node is left alone with its links."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import PortCounters
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: PortCounters) -> Finding:
    """The growth of every counter that has a limit between two readings; a counter that shrank was cleared meanwhile."""
    names = sorted({name for own in seen.after.values() for name in own})
    rows = {name: row for name in names if (row := compare.limit(expectation, "link.growth", counter=name))}
    if not rows:
        return compare.no_limit(expectation, "link.growth")
    limits = {name: compare.number(row) for name, row in rows.items()}
    readings = {
        network.place(link): grown(seen.before.get(link.port, {}), seen.after.get(link.port, {}), limits)
        for link in network.rdma_links(expectation)
    }
    return compare.every(
        expectation,
        readings,
        lambda found: found == GOOD,
        what=f"error counters of port over {seen.seconds:.0f} s",
        expected="none that grows",
        source=compare.limit_source(next(iter(rows.values()))),
    )


GOOD = "none grew"


def grown(before: dict[str, int], after: dict[str, int], limits: dict[str, float]) -> str | None:
    """The counters that grew by more than their limit, or `GOOD`; None where one is missing or was cleared meanwhile."""
    if not limits.keys() <= before.keys() & after.keys() or any(after[name] < before[name] for name in limits):
        return None
    growth = {name: after[name] - before[name] for name in limits}
    return ", ".join(f"{name} +{growth[name]}" for name, most in limits.items() if growth[name] > most) or GOOD


CHECK = Check(
    title="Error counters stand still in a soak", reads=PortCounters, judge=judge, applies=network.carries_rdma
)
