"""No accelerator generates text slower than those of like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import smoke
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.smoke import Serving
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("serving", "text generation", "tokens/s", high=False, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the median rate over the answered requests of every server over all accelerators of all nodes."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Serving) -> compare.Readings:
    slot = f"{seen.answer_tokens} tokens after {seen.prompt_tokens}, {seen.tool}"
    values = [compare.middle(one.tokens_per_s) for one in seen.replicas]
    return compare.readings(map(smoke.name, seen.replicas), [slot] * len(values), values)


CHECK = FleetCheck(
    title="Generation as fast as its peers'", reads=Serving, takes=_readings, judge=judge, applies=smoke.runs
)
