"""A server on every accelerator of a node answers every request."""

from rackwright import compare
from rackwright.compare import loads, smoke
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.smoke import Serving
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Serving) -> Finding:
    """Compare failed requests of every server with the limit; a server that was asked nothing is no reading."""
    short = loads.untested(expectation, len(seen.replicas), "servers")
    found = compare.at_most(
        expectation,
        {smoke.name(one): one.failed if one.requests else None for one in seen.replicas},
        "serving.failed_requests",
        what="requests that failed",
    )
    return loads.together([found, *([short] if short else [])])


CHECK = Check(reads=Serving, judge=judge, applies=smoke.runs)
