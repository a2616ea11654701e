"""The IMEX daemons of the NVLink domain are all ready and connected with each other."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.imex import Imex
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Imex) -> Finding:
    """Count the nodes, look for the node's own address, and name nodes that are not ready and connections that are down."""
    row = compare.limit(expectation, "nvlink.imex_nodes")
    if row is None:
        return compare.no_limit(expectation, "nvlink.imex_nodes")
    wrong = [f"{node.host} {node.status}" for node in record.nodes if node.status != "READY"]
    if not wrong:  # connections of a node that is not ready are not up by themselves
        wrong = [
            f"{node.host} to {peer} {status}"
            for node in record.nodes
            for peer, status in node.connections.items()
            if status != "CONNECTED"
        ]
    if expectation.node.inband_address not in [node.host for node in record.nodes]:
        wrong.append(f"its own address {expectation.node.inband_address} is not in the domain")
    hosts = {node.host for node in record.nodes}
    complete = record.status == "UP" and len(record.nodes) == len(hosts) == row.value and not wrong
    silent = [
        f"{node.host} tells nothing of {', '.join(sorted(missing))}"
        for node in record.nodes
        if (missing := hosts - node.connections.keys() - {node.host})
    ]
    observed = "; ".join([f"{record.status}, {len(record.nodes)} nodes", *(wrong or silent)])
    good = Outcome.INCONCLUSIVE if silent else Outcome.PASS
    return compare.finding(
        expectation,
        good if complete else Outcome.FAIL,
        what="NVLink domain",
        observed=observed,
        expected=f"UP, {row.value} nodes, all ready and connected",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose NVLinks end at NVSwitches outside of the node."""
    part = expectation.node.accelerator
    return part is not None and part.nvlink_links > 0 and expectation.node.server.nvswitches == 0


CHECK = Check(reads=Imex, judge=judge, applies=applies)
