"""The power of a design, read once, for the rules, the losses and the tables."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rackwright.design.power.capacity import usable_watts
from rackwright.design.power.feed_losses import feed_loss_sets
from rackwright.design.power.grid import Grid, RackKind, read_grid
from rackwright.design.power.outage import Aftermath, Outage, PowerLimits, simulate_outage
from rackwright.design.power.rack_losses import list_names
from rackwright.model.design import Design
from rackwright.model.facility import Circuit, Power
from rackwright.model.plant import Busway, PowerShelf, Ups


@dataclass(frozen=True, eq=False)
class Survey:
    """The grid, its limits, and the results of the declared feed losses."""

    power: Power
    grid: Grid
    limits: PowerLimits
    spare_shelf: bool
    """Racks with a busbar have one shelf more than they need at the peak."""

    def after(self, outage: Outage) -> Aftermath:
        """The aftermath of an outage."""
        return simulate_outage(self.grid, self.limits, outage)

    @cached_property
    def feed_losses(self) -> list[Aftermath]:
        """Every declared loss of feeds, the empty one first."""
        lost = feed_loss_sets(range(len(self.power.feeds)), self.power.survive.feeds)
        return [self.after(Outage(feeds=feeds)) for feeds in lost]

    @property
    def undisturbed(self) -> Aftermath:
        """The state with nothing lost."""
        return self.feed_losses[0]

    def devices_down(self, after: Aftermath) -> list[str]:
        """Names of the devices that are down, in the order of the grid."""
        rows: list[int] = []
        hit = np.array([bool(outcome.down.any()) for outcome in after.outcomes], dtype=np.bool_)[after.outcome]
        for rack in np.flatnonzero(hit):
            down = after.outcomes[int(after.outcome[rack])].down
            first = int(self.grid.first_device[rack])
            devices = np.arange(first, int(self.grid.first_device[rack + 1]))
            rows += devices[down[self.grid.group[devices] - first]].tolist()
        return [str(self.grid.devices[row]) for row in rows]

    def loss_text(self, after: Aftermath) -> str:
        """``feed A``, ``feeds A and B``, empty for no loss."""
        lost = sorted(after.outage.feeds)
        return list_names("feed", [self.grid.feeds[feed] for feed in lost]) if lost else ""

    def rack_text(self, kind: RackKind) -> str:
        """``Rack train-r01``, ``Rack train-r01 and 7 like it``."""
        more = len(kind.racks) - 1
        return f"Rack {self.grid.racks[kind.racks[0]]}" + (f" and {more} like it" if more else "")


_LAST_GRID: list[tuple[tuple[weakref.ref[object], ...], Grid]] = []
"""The grid of the tables read last."""


def survey_power(design: Design) -> Survey:
    """The power survey of a design."""
    return Survey(design.site.facility.power, _grid(design), power_limits(design), _spare_shelf(design))


def _grid(design: Design) -> Grid:
    """The grid of `design`, cached while its tables stay the same: every step and rule needs it."""
    tables = (design.site, design.racks, design.devices, design.node_table, design.circuits, design.psus)
    for references, grid in _LAST_GRID:
        if all(reference() is table for reference, table in zip(references, tables, strict=True)):
            return grid
    grid = read_grid(design)
    _LAST_GRID[:] = [(tuple(weakref.ref(table) for table in tables), grid)]
    return grid


def _spare_shelf(design: Design) -> bool:
    shelves = [part for part in design.plant_parts.values() if isinstance(part, PowerShelf)]
    return any(part.needed_share < 1 for part in shelves)


def power_limits(design: Design) -> PowerLimits:
    """Capacity of feeds, UPS modules and busways of the site. A part that the design lacks has no limit."""
    power = design.site.facility.power
    ups = design.plant_parts.get(power.ups.sku) if power.ups else None
    busway = design.plant_parts.get(power.busway) if power.busway else None
    return PowerLimits(
        feed=power.feed_kw * 1000.0,
        module=ups.kw * 1000 if isinstance(ups, Ups) else np.inf,
        modules=power.ups.per_feed if power.ups else 0,
        busway=busway_watts(busway, power.circuit) if isinstance(busway, Busway) else np.inf,
    )


def busway_watts(part: Busway, circuit: Circuit) -> float:
    """Continuous watts of a busway, at the derating and power factor of the circuits."""
    rated = circuit.model_copy(update={"volts": part.volts, "amps": part.amps, "phases": part.phases})
    return usable_watts(rated)
