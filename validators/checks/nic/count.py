"""Every network adapter for RDMA that the server was bought with is there, under its name."""

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.network import Rdma
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Rdma) -> Finding:
    """Planned device names beside those of the kernel."""
    wanted = [link.port for link in network.rdma_links(expectation)]
    missing = [port for port in wanted if network.device(seen, port) is None]
    found = f"{len(wanted) - len(missing)} of {len(wanted)}"
    return compare.finding(
        expectation,
        Outcome.FAIL if missing else Outcome.PASS,
        what="RDMA devices",
        observed=f"{'; '.join(f'{found}, without {port}' for port in missing)}" if missing else found,
        expected=", ".join(wanted),
        source=compare.sku_source(expectation.node.server, "ports"),
    )


CHECK = Check(reads=Rdma, judge=judge, applies=network.carries_rdma)
