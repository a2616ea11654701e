"""Servers on all accelerators of a node give the same answers to the same requests."""

from rackwright import compare
from rackwright.compare import loads, smoke
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.smoke import Serving
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Serving) -> Finding:
    """Compare the digest of each server's answers with the most common one; a server with failed requests has none."""
    digests = {
        f"{smoke.name(replica)} answers": replica.digest if replica.digest and not replica.failed else None
        for replica in record.replicas
    }
    finding = compare.every(
        expectation,
        smoke.agreement_states(digests),
        lambda state: state == "agrees",
        what="answers to equal requests",
        expected="the same from every accelerator",
        source="the most likely word each time, the same model, equal parts",
    )
    short = loads.untested_finding(expectation, len(record.replicas), "servers")
    return loads.combine_findings([finding, *([short] if short else [])])


CHECK = Check(
    reads=Serving,
    judge=judge,
    applies=lambda expectation: smoke.runs_smoke_jobs(expectation) and expectation.node.accelerators > 1,
)
