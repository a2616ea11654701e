"""What is compared, and how large a difference must be to matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rackwright.model.verdict import Outcome


@dataclass(frozen=True)
class Claim:
    """What is compared."""

    reading: str
    """Key of the limits (``temperature``)."""
    what: str
    unit: str
    high: bool
    """True when the high side is the bad one."""
    by: Literal["share", "kelvin", "count"]


@dataclass(frozen=True)
class Bounds:
    """What a difference is held against."""

    claim: Claim
    fewest: int
    alarms: float
    """Chance of a false alarm in a healthy fleet."""
    warn: float
    fail: float

    def difference(self, value: float, middle: float) -> float:
        """How far a value stands on the bad side, in the unit of `warn` and `fail`."""
        return (value - middle if self.claim.high else middle - value) / self.unit(middle)

    def unit(self, middle: float) -> float:
        """The unit of a difference: 1, or the median that it is a share of."""
        return middle if self.claim.by == "share" and middle else 1.0

    def outcome(self, difference: float, chance: float) -> Outcome:
        """What a difference gives when chance explains as much as `chance`."""
        if difference <= max(chance, self.warn):
            return Outcome.PASS
        return Outcome.FAIL if difference > self.fail else Outcome.DEGRADED
