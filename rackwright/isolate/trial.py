"""A test between nodes, and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

Over = Literal["fabric", "nvlink"]
OVERALL = -1
"""The reading of a whole test, beside those of its rails."""


@dataclass(frozen=True)
class Trial:
    """One collective over a ring of nodes, each of which sends to the next."""

    nodes: tuple[int, ...]
    """In the order of the ring; two nodes are a pair test."""
    over: Over = "fabric"
    """fabric: nodes reach each other only over the fabric; nvlink: the NVLink domain that the nodes share."""
    rails: tuple[int, ...] = ()
    """Slots under load; empty: all."""
    shift: int = 0
    """Slots between the sending and the receiving rail: 0 stays on a rail, any other value crosses from rail to rail."""

    @property
    def rails_alone(self) -> bool:
        """Whether only readings of rails are possible: collectives use every rail, and none crosses from rail to rail."""
        return bool(self.rails or self.shift)

    @property
    def hops(self) -> list[tuple[int, int]]:
        """(sender, receiver) pairs around the ring."""
        return list(zip(self.nodes, (*self.nodes[1:], self.nodes[0]), strict=True))


@dataclass(frozen=True)
class TrialResult:
    """The result of a test. Shares are relative to what the limits expect of good parts."""

    trial: Trial
    share: float | None
    """Of the whole test; None when the whole was not measured."""
    rails: Mapping[int, float] = field(default_factory=dict)
    """By slot of the sending rail, where the test measures each rail."""
    why: str = ""
    """Why it did not run."""

    @property
    def ran(self) -> bool:
        """Whether there is any reading. A test that did not run is not evidence about any part."""
        return self.share is not None or bool(self.rails)

    @property
    def readings(self) -> dict[int, float]:
        """By slot, and `OVERALL` for the whole test."""
        return dict(self.rails) if self.share is None else {OVERALL: self.share, **self.rails}


class Tester(Protocol):
    """Runs tests: a scheduler job, SSH, a twin, a simulation."""

    def run(self, trials: list[Trial]) -> list[TrialResult]:
        """Run all `trials` at the same time (no two share a node); one result per trial, also for those that did not run."""
        ...
