"""What is left of power supplies and circuits after feeds fail; the arithmetic that the power rules share.

A device spreads its load evenly over the supplies that still have a feed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rackwright.design.power import losses
from rackwright.model.design import Design


@dataclass(frozen=True)
class Supply:
    """One power supply as the tables have it."""

    device: str
    watts: int
    circuit: str
    feed: str


@dataclass(frozen=True)
class Survival:
    """A design seen as supplies, loads and the losses it must survive."""

    design: Design

    @cached_property
    def supplies(self) -> dict[str, list[Supply]]:
        """The power supplies of every device."""
        found: dict[str, list[Supply]] = defaultdict(list)
        for row in self.design.psus.iter_rows(named=True):
            found[row["device"]].append(Supply(row["device"], row["watts"], row["circuit"], row["feed"]))
        return found

    @cached_property
    def peak_watts(self) -> dict[str, int]:
        """Peak load of every device."""
        return dict(self.design.devices.select("device", "peak_watts").iter_rows())

    def losses(self) -> Iterator[frozenset[str]]:
        """Every set of feeds that may fail together, the empty one first."""
        power = self.design.site.facility.power
        return losses(power.feeds, power.survive.feeds)

    def circuit_watts(self, lost: frozenset[str]) -> dict[str, float]:
        """Load of every circuit after `lost` feeds failed; a device without any supply left loads nothing."""
        load: dict[str, float] = defaultdict(float)
        for device, supplies in self.supplies.items():
            alive = [supply for supply in supplies if supply.feed not in lost]
            for supply in alive:
                load[supply.circuit] += self.peak_watts[device] / len(alive)
        return load


def named(lost: frozenset[str]) -> str:
    """``with feed A lost``, ``with every feed alive``."""
    if not lost:
        return "with every feed alive"
    return f"with feed{'s' if len(lost) > 1 else ''} {' and '.join(sorted(lost))} lost"
