"""The IMEX daemons of the NVLink domain are all ready and connected with each other."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.imex import Imex
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Imex) -> Finding:
    """Compare the trays with the planned domain, and name nodes that are not ready and connections that are down."""
    hosts, planned = {node.host for node in record.nodes}, set(expectation.domain)
    wrong = [
        *(f"{host} is missing" for host in sorted(planned - hosts)),
        *(f"{host} belongs to another domain" for host in sorted(hosts - planned)),
        *(problems_of_nodes(record) or problems_of_connections(record)),
    ]
    silent = [
        f"{node.host} tells nothing of {', '.join(sorted(missing))}"
        for node in record.nodes
        if (missing := hosts - node.connections.keys() - {node.host})
    ]
    complete = record.status == "UP" and len(record.nodes) == len(planned) and not wrong
    observed = "; ".join([f"{record.status}, {len(record.nodes)} nodes", *(wrong or silent)])
    good = Outcome.INCONCLUSIVE if silent else Outcome.PASS
    return compare.finding(
        expectation,
        good if complete else Outcome.FAIL,
        what="NVLink domain",
        observed=observed,
        expected=f"UP, {len(planned)} nodes, all ready and connected",
        source="design, accelerator nodes of the rack",
    )


def problems_of_nodes(record: Imex) -> list[str]:
    """Nodes that are not ready."""
    return [f"{node.host} {node.status}" for node in record.nodes if node.status != "READY"]


def problems_of_connections(record: Imex) -> list[str]:
    """Connections that are down; those of nodes that are not ready are omitted."""
    return [
        f"{node.host} to {peer} {status}"
        for node in record.nodes
        for peer, status in node.connections.items()
        if status != "CONNECTED"
    ]


def applies(expectation: Expectation) -> bool:
    """Nodes of an NVLink domain that spans a rack."""
    return bool(expectation.domain)


CHECK = Check(reads=Imex, judge=judge, applies=applies)
