"""No Ethernet port of the node loses its carrier again and again."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Ethernet, EthernetPort
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Ethernet) -> Finding:
    """Times each port lost its carrier since boot, per day; a shorter time counts as a whole day."""
    row = compare.limit(expectation, "link.downs_per_day")
    if row is None:
        return compare.no_limit(expectation, "link.downs_per_day")
    days = max(1, seen.uptime_seconds / network.SECONDS_PER_DAY)

    def per_day(port: EthernetPort) -> float | None:
        return None if port.carrier_downs is None else round(port.carrier_downs / days, 1)

    return compare.every(
        expectation,
        network.by_interface(expectation, seen, per_day),
        lambda downs: downs <= compare.number(row),
        what="times a day that a port loses its carrier,",
        expected=f"at most {row.value:g}",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Ethernet, judge=judge, applies=network.carries_ethernet)
