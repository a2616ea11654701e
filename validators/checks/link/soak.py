"""No error counter of an RDMA port grows while the links of the node are idle."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import PortCounters
from rackwright.model.verdict import Finding

SURE = ("symbol_error", "max_retry_exceeded", "tx_rdma_ack_timeout")
"""Counters that have a limit; each adapter has one: bnxt_re of Broadcom and ionic of AMD show those of their own alone, bnxt_re
up to Linux 6.14. The row of the first says where limits come from."""


def judge(expectation: Expectation, record: PortCounters) -> Finding:
    """Compare the growth of every counter between two readings with its limit; a counter that shrank was cleared in between."""
    row, least = (
        compare.limit(expectation, "link.growth", counter=SURE[0]),
        compare.limit(expectation, "link.soak_seconds"),
    )
    if row is None or least is None:
        return compare.no_limit(expectation, "link.growth and link.soak_seconds")
    growth = {port: grown(record.before.get(port, {}), after) for port, after in record.after.items()}
    changed = sorted({name for counters in growth.values() for name in counters or {}})
    rows = {name: compare.limit(expectation, "link.growth", counter=name) for name in changed}
    limits = {name: compare.number(limit) for name, limit in rows.items() if limit is not None}
    long_enough = record.seconds >= compare.number(least)
    states = {link: high(growth.get(link.port), limits) for link in network.rdma_links(expectation)}
    readings = {
        network.port_place(link): None if state == GOOD and not long_enough else state for link, state in states.items()
    }
    return compare.every(
        expectation,
        readings,
        lambda state: state == GOOD,
        what=f"error counters of port over {record.seconds:.0f} s",
        expected=f"none that grows in at least {least.value:g} s",
        source=compare.limit_source(row),
    )


GOOD = "none grew"


def grown(before: dict[str, int], after: dict[str, int]) -> dict[str, int] | None:
    """Changes by counter; None if the two readings hold different counters or none of `SURE`."""
    if before.keys().isdisjoint(SURE) or before.keys() != after.keys():
        return None
    return {name: count - before[name] for name, count in after.items() if count != before[name]}


def high(growth: dict[str, int] | None, limits: dict[str, float]) -> str | None:
    """The counters that grew by more than their limit in words, or `GOOD`; None without readings or with a cleared
    counter.
    """
    if growth is None or any(growth.get(name, 0) < 0 for name in limits):
        return None
    return ", ".join(f"{name} +{growth[name]}" for name, most in limits.items() if growth.get(name, 0) > most) or GOOD


CHECK = Check(reads=PortCounters, judge=judge, applies=network.carries_rdma)
