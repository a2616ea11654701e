"""Every RoCE port of the node has flow control on the priority that the fabric keeps free of loss, and on no other."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Ethernet
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Ethernet) -> Finding:
    """The priorities with PFC of every RoCE port beside the limit."""
    row = compare.limit(expectation, "nic.lossless_priorities")
    if row is None:
        return compare.no_limit(expectation, "nic.lossless_priorities")
    wanted = ", ".join(compare.words(row))
    readings = {}
    for link in network.roce_links(expectation):
        port = network.interface(seen, link.port)
        told = None if port is None or port.lossless is None else ", ".join(map(str, port.lossless)) or "none"
        readings[network.place(link)] = told
    return compare.every(
        expectation,
        readings,
        lambda priorities: priorities == wanted,
        what="priorities with flow control of port",
        expected=wanted,
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Ethernet, judge=judge, applies=network.carries_roce)
