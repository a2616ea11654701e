"""The BMC counts as many processors as the server was bought with."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the count with the server SKU; zero means that the BMC reports none."""
    server = expectation.node.server
    return compare.equal(
        expectation,
        record.cpu_count or None,
        server.cpu_sockets,
        what="processors in the BMC's inventory:",
        source=compare.sku_source(server, "cpu_sockets"),
    )


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "system", "processors")
