"""The reading that peers are compared by, and how large a difference must be to matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rackwright.model.verdict import Outcome


@dataclass(frozen=True)
class Claim:
    """The reading that is compared."""

    reading: str
    """Key of the limits (``temperature``)."""
    what: str
    unit: str
    high: bool
    """True if high readings are the bad ones."""
    by: Literal["share", "kelvin", "count"]


@dataclass(frozen=True)
class Bounds:
    """The limits of a difference from the peers."""

    claim: Claim
    fewest: int
    alarms: float
    """Chance of a false alarm in a healthy fleet."""
    warn: float
    fail: float

    def difference(self, value: float, middle: float) -> float:
        """Distance of `value` from `middle` towards the bad side, in the unit of `warn` and `fail`."""
        return (value - middle if self.claim.high else middle - value) / self.unit(middle)

    def unit(self, middle: float) -> float:
        """The unit of a difference: 1, or the median if the difference is a share of it."""
        return middle if self.claim.by == "share" and middle else 1.0

    def outcome(self, difference: float, chance: float) -> Outcome:
        """The outcome of a difference of which chance explains up to `chance`."""
        if difference <= max(chance, self.warn):
            return Outcome.PASS
        return Outcome.FAIL if difference > self.fail else Outcome.DEGRADED
