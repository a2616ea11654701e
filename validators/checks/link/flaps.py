"""No RDMA link of the node goes down again and again."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Links) -> Finding:
    """Times each link went down since its counters were cleared, per day; a shorter time counts as a whole day."""
    row = compare.limit(expectation, "link.downs_per_day")
    if row is None:
        return compare.no_limit(expectation, "link.downs_per_day")

    def per_day(one: LinkReading) -> float | None:
        if one.downs is None or one.minutes is None:
            return None
        return round(one.downs / max(1, one.minutes / network.MINUTES_PER_DAY), 1)

    return compare.every(
        expectation,
        network.by_link(expectation, seen, per_day),
        lambda downs: downs <= compare.number(row),
        what="times a day that a link goes down,",
        expected=f"at most {row.value:g}",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Links, judge=judge, applies=network.carries_rdma)
