"""A server on every accelerator of a node answers every request."""

from rackwright import compare
from rackwright.compare import loads, smoke
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.smoke import Serving
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Serving) -> Finding:
    """Compare failed requests of every server with the limit; a server with no requests is inconclusive."""
    short = loads.untested_finding(expectation, len(record.replicas), "servers")
    finding = compare.at_most(
        expectation,
        {smoke.name(replica): replica.failed if replica.requests else None for replica in record.replicas},
        "serving.failed_requests",
        what="requests that failed",
    )
    return loads.combine_findings([finding, *([short] if short else [])])


CHECK = Check(reads=Serving, judge=judge, applies=smoke.runs_smoke_jobs)
