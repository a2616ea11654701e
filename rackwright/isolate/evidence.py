"""The evidence of a test about its nodes as a whole, when rails are measured as well."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

from rackwright.isolate.noise import Noise
from rackwright.isolate.trial import OVERALL, TrialResult


def of_nodes(result: TrialResult, noise: Noise, chance: Mapping[str, float], slots: int) -> tuple[float, float] | None:
    """(log p(readings | all nodes good), log p(readings | some node is bad)); None when the test did not run."""
    if not result.ran:
        return None
    evidence = {slot: noise.evidence(share) for slot, share in result.readings.items()}
    rails = result.trial.rails or tuple(range(slots))
    ways = [(chance["node"], frozenset(evidence)), (chance["nvlink"], frozenset({OVERALL}))]
    # In a ring every node sends on one rail and receives on another.
    ways += [(chance["rail"], frozenset({OVERALL, slot, (slot - result.trial.shift) % slots})) for slot in rails]
    total = sum(share for share, _ in ways)
    terms = [
        log(share / total) + sum(pair[slot in spoiled] for slot, pair in evidence.items()) for share, spoiled in ways
    ]
    top = max(terms)
    return sum(good for good, _ in evidence.values()), top + log(sum(exp(term - top) for term in terms))
