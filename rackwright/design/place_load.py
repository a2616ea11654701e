"""Limits of a rack place of the first hall: racks of switches and control servers are filled no further."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rackwright.design.power.capacity import PHASES, usable_watts
from rackwright.model.facility import Facility


@dataclass(frozen=True)
class PlaceLimit:
    """Limits of a rack place in watts; infinite where the site declares none."""

    air: float
    """Heat that the air of a place carries away."""
    line: float
    """What one line of its circuits carries after the loss of as many feeds as must be survived."""
    lines: int


def place_limit(facility: Facility) -> PlaceLimit:
    """The limit that ``air_kw_per_rack`` and ``circuits_per_rack`` set."""
    power, air = facility.power, facility.halls[0].air_kw_per_rack
    lines = PHASES if power.circuit.phases == PHASES else 1
    carried = math.inf
    if power.circuits_per_rack:
        feeds = len(facility.halls[0].feeds or power.feeds)
        alive = max(1, feeds - power.survive.feeds)
        carried = max(1, power.circuits_per_rack // feeds) * alive * usable_watts(power.circuit)
    return PlaceLimit(1000.0 * air if air else math.inf, carried / lines, lines)


@dataclass
class PlaceLoad:
    """Load of a rack so far; every device is put on the line with the least load."""

    limit: PlaceLimit
    watts: float = 0.0
    lines: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines = [0.0] * self.limit.lines

    def bears(self, watts: float) -> bool:
        """Whether a further device of `watts` stays within the limit."""
        return self.watts + watts <= self.limit.air and min(self.lines) + watts <= self.limit.line

    def add(self, watts: float) -> None:
        """Adds a device to the load."""
        self.watts += watts
        self.lines[self.lines.index(min(self.lines))] += watts
