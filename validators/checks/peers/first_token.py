"""No accelerator lets requests wait longer for the first word than those of like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import smoke
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.smoke import Serving
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("first token", "wait for the first word", "s", high=True, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the median wait over the answered requests of every server over all accelerators of all nodes."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Serving) -> compare.Readings:
    slot = f"after {seen.prompt_tokens} tokens, {seen.tool}"
    values = [compare.middle(one.first_token_seconds) for one in seen.replicas]
    return compare.readings(map(smoke.name, seen.replicas), [slot] * len(values), values)


CHECK = FleetCheck(
    title="First word as soon as its peers'", reads=Serving, takes=_readings, judge=judge, applies=smoke.runs
)
