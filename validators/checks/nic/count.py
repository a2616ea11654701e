"""Every RDMA adapter that the server was bought with is present under its planned name."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Rdma) -> Finding:
    """Compare the planned device names with those of the kernel."""
    planned = [link.port for link in network.rdma_links(expectation)]
    missing = [port for port in planned if network.rdma_device(record, port) is None]
    count = f"{len(planned) - len(missing)} of {len(planned)}"
    return compare.finding(
        expectation,
        Outcome.FAIL if missing else Outcome.PASS,
        what="RDMA devices",
        observed=f"{'; '.join(f'{count}, without {port}' for port in missing)}" if missing else count,
        expected=", ".join(planned),
        source=compare.sku_source(expectation.node.server, "ports"),
    )


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_rdma)
