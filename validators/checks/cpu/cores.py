"""Every processor has the cores that it was bought with."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Cpu) -> Finding:
    """Compare the cores of a socket with the server SKU."""
    server = expectation.node.server
    return compare.equal(
        expectation,
        record.cores_per_socket,
        server.cores_per_socket,
        what="cores of a socket:",
        source=compare.sku_source(server, "cores_per_socket"),
    )


CHECK = Check(reads=Cpu, judge=judge, applies=compare.is_onboarded)
