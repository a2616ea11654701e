"""The BMC lists every network port that the server was bought with."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Count the ports, and name those of the SKU that are not listed; its own port the BMC does not list."""
    wanted = [name for group in expectation.node.server.ports if group.role != "bmc" for name in group.names]
    listed = {port.adapter for port in seen.nic_ports}
    missing = [name for name in wanted if name not in listed]
    if not seen.nic_ports:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if len(seen.nic_ports) >= len(wanted) else Outcome.FAIL
    lost = f"; not listed: {', '.join(missing)}" if missing and outcome == Outcome.FAIL else ""
    return compare.finding(
        expectation,
        outcome,
        what="network ports in the BMC's inventory:",
        observed=f"{len(seen.nic_ports)}{lost}",
        expected=f"{len(wanted)}",
        source=compare.sku_source(expectation.node.server, "ports.0.count"),
    )


CHECK = Check(reads=Bmc, judge=judge, applies=compare.has_accelerators)
