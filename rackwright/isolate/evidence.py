"""What a test says of a node as a whole, when rails are measured on their own as well. A bad node
is a bad host (all readings suffer), a bad inside (the whole test alone) or a bad rail (the whole test and that rail).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

from rackwright.isolate.noise import Noise
from rackwright.isolate.trial import OVERALL, Told


def of_nodes(told: Told, noise: Noise, chance: Mapping[str, float], slots: int) -> tuple[float, float] | None:
    """(log p(readings | all nodes good), log p(readings | some node is bad)); None when the test did not run."""
    if not told.ran:
        return None
    said = {slot: noise.evidence(share) for slot, share in told.readings.items()}
    rails = told.trial.rails or tuple(range(slots))
    ways = [(chance["node"], frozenset(said)), (chance["nvlink"], frozenset({OVERALL}))]
    # In a ring every node sends on one rail and receives on another.
    ways += [(chance["rail"], frozenset({OVERALL, slot, (slot - told.trial.shift) % slots})) for slot in rails]
    total = sum(share for share, _ in ways)
    terms = [log(share / total) + sum(one[slot in spoiled] for slot, one in said.items()) for share, spoiled in ways]
    top = max(terms)
    return sum(one[0] for one in said.values()), top + log(sum(exp(term - top) for term in terms))
