"""A test between nodes, and what came of it.

In and out: plain records.
"""

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
    """fabric: between nodes nothing but the fabric is used; nvlink: the NVLink domain that the nodes share."""
    rails: tuple[int, ...] = ()
    """Slots that are loaded; empty: all."""
    shift: int = 0
    """Slots between the sending rail and the receiving one: 0 stays on a rail, anything else crosses from rail to rail."""

    @property
    def rails_alone(self) -> bool:
        """Whether rails are all that it can measure where rails are measured: collectives use every rail, and none crosses over."""
        return bool(self.rails or self.shift)

    @property
    def hops(self) -> list[tuple[int, int]]:
        """(sender, receiver) all around the ring."""
        return list(zip(self.nodes, (*self.nodes[1:], self.nodes[0]), strict=True))


@dataclass(frozen=True)
class Told:
    """What came of a test. Shares are of what the limits expect of good parts."""

    trial: Trial
    share: float | None
    """Of the whole test; None: the whole was not measured."""
    rails: Mapping[int, float] = field(default_factory=dict)
    """By slot of the sending rail, where the test measures rails on their own."""
    why: str = ""
    """Why it did not run."""

    @property
    def ran(self) -> bool:
        """Whether there is any reading; a test that did not run says nothing of any part."""
        return self.share is not None or bool(self.rails)

    @property
    def readings(self) -> dict[int, float]:
        """By slot, and `OVERALL` for the whole."""
        return dict(self.rails) if self.share is None else {OVERALL: self.share, **self.rails}


class Tester(Protocol):
    """Whatever runs tests: a scheduler job, SSH, a twin, a simulation."""

    def run(self, trials: list[Trial]) -> list[Told]:
        """Run all `trials` at the same time (no node is in two of them); one `Told` per trial, also for those that did not run."""
        ...
