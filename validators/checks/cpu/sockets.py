"""As many processors are fitted as the server was bought with."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Cpu) -> Finding:
    """Compare the sockets that the kernel counts with the server SKU."""
    server = expectation.node.server
    return compare.equal(
        expectation,
        record.sockets,
        server.cpu_sockets,
        what="sockets:",
        source=compare.sku_source(server, "cpu_sockets"),
    )


CHECK = Check(reads=Cpu, judge=judge, applies=compare.is_onboarded)
