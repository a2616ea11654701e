"""Every rail's own port carries its share of what collectives over nodes send."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.collective import Collective, Collectives
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Collectives) -> Finding:
    """Divide the bytes that each port sent by an equal share of those that the node must send; results that stayed on
    NVLink need no port.
    """
    networked = [result for result in record.results if loads.proven_transport(result) != "mnnvl"]
    if record.results and not networked:
        return compare.finding(
            expectation,
            Outcome.PASS,
            what="collectives over nodes",
            observed="all of them proven to stay in the NVLink domain",
            expected="no port needed there",
            source="debug output of the library",
        )
    readings = {
        f"{rail} in {result.collective} on {', '.join(result.nodes)}": _share(expectation, result, rail)
        for result in networked
        for rail in loads.planned_rails(expectation)
    }
    return compare.at_least(
        expectation, readings, "collective.carried_share", what="share of a collective's bytes that the port sent"
    )


def _share(expectation: Expectation, result: Collective, rail: str) -> float | None:
    name = expectation.node.name
    sent = next((port.sent_bytes for port in result.ports if (port.node, port.adapter) == (name, rail)), None)
    share_due = loads.sent_bytes(result, name) / max(1, len(loads.planned_rails(expectation)))
    return sent / share_due if sent is not None and share_due else None


CHECK = Check(
    reads=Collectives,
    judge=judge,
    applies=lambda expectation: loads.runs_between(expectation) and bool(loads.planned_rails(expectation)),
)
