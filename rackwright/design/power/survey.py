"""The power of a design, read once and looked at from all sides: what the rules, the losses and the tables ask."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rackwright.design.power.capacity import usable_watts
from rackwright.design.power.cases import listed
from rackwright.design.power.grid import Grid, Kind, read
from rackwright.design.power.lost import losses
from rackwright.design.power.outage import Aftermath, Limits, Outage, simulate
from rackwright.model.design import Design
from rackwright.model.facility import Circuit, Power
from rackwright.model.plant import Busway, PowerShelf, Ups


@dataclass(frozen=True, eq=False)
class Survey:
    """Grid, limits, and what the declared loss of feeds leaves."""

    power: Power
    grid: Grid
    limits: Limits
    spare_shelf: bool
    """Racks with a busbar have a shelf more than they need at the peak."""

    def after(self, outage: Outage) -> Aftermath:
        """What an outage leaves."""
        return simulate(self.grid, self.limits, outage)

    @cached_property
    def feed_losses(self) -> list[Aftermath]:
        """Every declared loss of feeds, the empty one first."""
        lost = losses(range(len(self.power.feeds)), self.power.survive.feeds)
        return [self.after(Outage(feeds=feeds)) for feeds in lost]

    @property
    def whole(self) -> Aftermath:
        """Nothing lost."""
        return self.feed_losses[0]

    def what(self, after: Aftermath) -> str:
        """``feed A``, ``feeds A and B``, empty for no loss."""
        lost = sorted(after.outage.feeds)
        return listed("feed", [self.grid.feeds[feed] for feed in lost]) if lost else ""

    def racks(self, kind: Kind) -> str:
        """``Rack train-r01``, ``Rack train-r01 and 7 like it``."""
        more = len(kind.racks) - 1
        return f"Rack {self.grid.racks[kind.racks[0]]}" + (f" and {more} like it" if more else "")


_SEEN: list[tuple[tuple[weakref.ref[object], ...], Grid]] = []
"""The grid of the last tables that were read."""


def survey(design: Design) -> Survey:
    """The survey of a design."""
    return Survey(design.site.facility.power, _grid(design), limits(design), _spare_shelf(design))


def _grid(design: Design) -> Grid:
    """Kept as long as the tables are the same ones: every step and every rule asks for it."""
    tables = (design.site, design.racks, design.devices, design.node_table, design.circuits, design.psus)
    for seen, grid in _SEEN:
        if all(one() is table for one, table in zip(seen, tables, strict=True)):
            return grid
    grid = read(design)
    _SEEN[:] = [(tuple(weakref.ref(table) for table in tables), grid)]
    return grid


def _spare_shelf(design: Design) -> bool:
    shelves = [part for part in design.plant_parts.values() if isinstance(part, PowerShelf)]
    return any(part.needed_share < 1 for part in shelves)


def limits(design: Design) -> Limits:
    """What feeds, UPS modules and busways of the site can carry. A part that the design has not has no limit."""
    power = design.site.facility.power
    ups = design.plant_parts.get(power.ups.sku) if power.ups else None
    way = design.plant_parts.get(power.busway) if power.busway else None
    return Limits(
        feed=power.feed_kw * 1000.0,
        module=ups.kw * 1000 if isinstance(ups, Ups) else np.inf,
        modules=power.ups.per_feed if power.ups else 0,
        busway=busway_watts(way, power.circuit) if isinstance(way, Busway) else np.inf,
    )


def busway_watts(part: Busway, circuit: Circuit) -> float:
    """Continuous watts of a busway, at the derating and power factor of the circuits."""
    rated = circuit.model_copy(update={"volts": part.volts, "amps": part.amps, "phases": part.phases})
    return usable_watts(rated)
