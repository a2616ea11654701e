"""The BMC lists every network port that the server was bought with."""

from collections.abc import Iterator

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Count the ports and name missing ones of the SKU; the BMC does not list its own port."""
    planned = [name for group in expectation.node.server.ports if group.role != "bmc" for name in group.names]
    listed = [port.adapter for port in record.nic_ports]
    missing = [name for lanes in _adapters(expectation) for name in lanes[listed.count(lanes[0]) :]]
    if not record.nic_ports:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if len(record.nic_ports) >= len(planned) else Outcome.FAIL
    lost = f"; not listed: {', '.join(missing)}" if missing and outcome == Outcome.FAIL else ""
    return compare.finding(
        expectation,
        outcome,
        what="network ports in the BMC's inventory:",
        observed=f"{len(record.nic_ports)}{lost}",
        expected=f"{len(planned)}",
        source=compare.sku_source(expectation.node.server, "ports.0.count"),
    )


def _adapters(expectation: Expectation) -> Iterator[list[str]]:
    """Ports by adapter: a port, or the lanes of a split one, which the BMC lists as ports of one adapter."""
    for group in expectation.node.server.ports:
        if group.role != "bmc":
            yield from (group.names[at : at + group.lanes] for at in range(0, len(group.names), group.lanes))


CHECK = Check(reads=BmcEvidence, judge=judge, applies=compare.has_accelerators)
