"""The settings of a search among nodes, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field

from rackwright.isolate import groups
from rackwright.isolate.common_loss import CommonLossRules
from rackwright.isolate.hunt import HuntRules
from rackwright.isolate.noise import Noise
from rackwright.isolate.posterior import Floats


@dataclass(frozen=True)
class SearchSettings:
    """Parameters of a search; the values are in ``validators/limits/isolation.yaml``."""

    noise: Noise
    prior: float
    """Expected share of faulty parts."""
    rules: groups.RoundRules
    missed: float
    """Faulty parts that a search may miss on average; the fault probabilities of cleared parts add up to less."""
    blamed: float
    """Good parts that a search may blame on average."""
    small: float
    """A part that loses less is blamed only after a bad pair."""
    sets: int
    """Sets of faulty parts that are sampled to choose tests."""
    sweeps: int
    """Number of times that every part of every set is sampled again."""
    intermittent: float
    """Share of faulty parts that do not show in every test."""
    hunt: HuntRules
    common: CommonLossRules
    confidence: float
    """Confidence of the faults that a clearance excludes, for each part."""


@dataclass(frozen=True)
class SearchState:
    """The decision about every part; each is in one of three sets."""

    faulty: frozenset[int]
    good: frozenset[int]
    open: frozenset[int]
    """Undecided: not tested, or the readings fit both."""
    probability: Floats = field(compare=False)
