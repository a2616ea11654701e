"""Servers on all accelerators of a node give the same answers to the same requests."""

from rackwright import compare
from rackwright.compare import loads, smoke
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.smoke import Serving
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Serving) -> Finding:
    """Compare the digest of each server's answers with the one that most have; a server with failed requests has none."""
    digests = {
        f"{smoke.name(one)} answers": one.digest if one.digest and not one.failed else None for one in seen.replicas
    }
    found = compare.every(
        expectation,
        smoke.agreeing(digests),
        lambda said: said == "agrees",
        what="answers to equal requests",
        expected="the same from every accelerator",
        source="the most likely word each time, the same model, equal parts",
    )
    short = loads.untested(expectation, len(seen.replicas), "servers")
    return loads.together([found, *([short] if short else [])])


CHECK = Check(
    reads=Serving,
    judge=judge,
    applies=lambda expectation: smoke.runs(expectation) and expectation.node.accelerators > 1,
)
