"""The machine at this BMC address is the server model that was bought."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare manufacturer and model that the BMC reports with the server SKU."""
    server = expectation.node.server
    return compare.equal(
        expectation,
        f"{record.manufacturer} {record.model}" if record.model else None,
        f"{server.manufacturer} {server.model}",
        what="machine is",
        source=compare.sku_source(server, "model"),
    )


CHECK = Check(reads=BmcEvidence, judge=judge)
