"""Every RDMA link of the node uses the error correction that its rate needs."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.link import Links
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Links) -> Finding:
    """The FEC in use, as the adapter names it, holds one of the words of the limit."""
    row = compare.limit(expectation, "link.fec")
    if row is None:
        return compare.no_limit(expectation, "link.fec")
    wanted = compare.words(row)
    return compare.every(
        expectation,
        network.by_link(expectation, seen, lambda one: one.fec),
        lambda fec: any(word in fec for word in wanted),
        what="FEC of link",
        expected=" or ".join(wanted),
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Links, judge=judge, applies=network.carries_rdma)
