"""The BMC lists every network port that the server was bought with."""

from collections.abc import Iterator

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Count the ports, and name missing ones if the BMC uses the adapter names of the operating system; its own port is
    not listed.
    """
    server = expectation.node.server
    names = [name for group in server.ports if group.role != "bmc" for name in group.names]
    listed = [port.adapter for port in record.nic_ports]
    alike = not set(listed) - set(names)
    fewer = server.bmc.ports if server.bmc and not alike else None
    planned = len(names) if fewer is None else fewer
    missing = [name for lanes in _adapters(expectation) for name in lanes[listed.count(lanes[0]) :]] if alike else []
    if not record.nic_ports:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if len(record.nic_ports) >= planned else Outcome.FAIL
    lost = f"; not listed: {', '.join(missing)}" if missing and outcome == Outcome.FAIL else ""
    judged = compare.finding(
        expectation,
        outcome,
        what="network ports in the BMC's inventory:",
        observed=f"{len(record.nic_ports)}{lost}",
        expected=f"{planned}",
        source=compare.sku_source(expectation.node.server, "ports.0.count"),
    )
    return bmc.complete(judged, record, "adapters", counted=True)


def _adapters(expectation: Expectation) -> Iterator[list[str]]:
    """Ports by adapter: a port, or the lanes of a split port, which the BMC lists as ports of one adapter."""
    for group in expectation.node.server.ports:
        if group.role != "bmc":
            yield from (group.names[at : at + group.lanes] for at in range(0, len(group.names), group.lanes))


CHECK = Check(reads=BmcEvidence, judge=judge, applies=compare.has_accelerators)
