"""The cooling plant of a design: per hall one coolant loop with its CDUs and one air loop with its CRAHs.

All units of a hall work together: heat and flow spread over them in proportion to their capacity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from rackwright.design.cooling.capacity import approach_kelvin, capacity_watts
from rackwright.design.cooling.names import unit_names
from rackwright.model.design import Design
from rackwright.model.facility import CduSet, CrahSet, Liquid
from rackwright.model.plant import Cdu, Crah

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CoolingUnit:
    """One CDU or CRAH. Flow in litres per minute or CFM; a unit without its own pumps has 0."""

    name: str
    sku: str
    capacity_watts: float
    flow_capacity: float
    power_watts: int
    pumps: int = 0
    pumps_needed: int = 0


@dataclass(frozen=True)
class CoolingLoop:
    """The units of one hall that share its heat, and the racks they cool, in design order."""

    name: str
    kind: str
    """``cdu`` or ``crah``."""
    hall: str
    units: tuple[CoolingUnit, ...]
    survive: int
    """Units that may fail at once."""
    survive_pumps: int
    """Pumps of one unit that may fail at once."""
    racks: tuple[str, ...]
    watts: Numbers = field(repr=False)
    flows: Numbers = field(repr=False)

    @property
    def load_watts(self) -> float:
        """Heat of all racks."""
        return float(self.watts.sum())

    @property
    def load_flow(self) -> float:
        """Flow that all racks need."""
        return round(float(self.flows.sum()), 3)

    @property
    def capacity_watts(self) -> float:
        """Heat that all units carry."""
        return sum(unit.capacity_watts for unit in self.units)

    @property
    def flow_capacity(self) -> float:
        """Flow of all units."""
        return sum(unit.flow_capacity for unit in self.units)

    @property
    def flow_unit(self) -> str:
        """Unit of flow for sentences."""
        return "L/min" if self.kind == "cdu" else "CFM"

    @property
    def noun(self) -> str:
        """The word for a unit: CDU or CRAH."""
        return self.kind.upper()


def loops(design: Design) -> list[CoolingLoop]:
    """Every loop that has units or heat, coolant before air, halls as declared.

    A hall with liquid-cooled racks has a coolant loop even without CDUs. Without ``facility.air`` there are no air loops: the site then declares
    nothing about its air plant.
    """
    facility = design.site.facility
    first = facility.halls[0].name
    cdus = facility.liquid.cdus if facility.liquid else []
    candidates = []
    for hall in facility.halls:
        units = _cdus(design, facility.liquid, cdus, hall.name, first) if facility.liquid else ()
        survive = (facility.liquid.survive.cdus, facility.liquid.survive.pumps) if facility.liquid else (0, 0)
        candidates.append(_loop(design, "cdu", hall.name, units, *survive))
    for hall in facility.halls if facility.air else ():
        assert facility.air is not None
        units = _crahs(design, facility.air.crahs, hall.name, first)
        candidates.append(_loop(design, "crah", hall.name, units, facility.air.survive.crahs, 0))
    return [loop for loop in candidates if loop.units or loop.load_watts]


def _loop(
    design: Design, kind: str, hall: str, units: tuple[CoolingUnit, ...], survive: int, pumps: int
) -> CoolingLoop:
    heat, flow = ("liquid_watts", "coolant_liters_per_minute") if kind == "cdu" else ("air_watts", "airflow_cfm")
    mine = design.racks.filter((pl.col("hall") == hall) & (pl.col(heat) > 0))
    watts, flows = mine[heat].cast(pl.Float64).to_numpy(), mine[flow].to_numpy()
    name = f"{hall}-{'coolant' if kind == 'cdu' else 'air'}"
    return CoolingLoop(name, kind, hall, units, survive, pumps, tuple(mine["rack"]), watts, flows)


def _cdus(design: Design, liquid: Liquid, sets: Iterable[CduSet], hall: str, first: str) -> tuple[CoolingUnit, ...]:
    units = []
    for name, sku in unit_names(sets, hall, first):
        part = design.plant_parts[sku]
        assert isinstance(part, Cdu)
        watts = capacity_watts(part.capacities, approach_kelvin(liquid))
        units.append(
            CoolingUnit(name, sku, watts, part.liters_per_minute, part.power_watts, part.pumps, part.pumps_needed)
        )
    return tuple(units)


def _crahs(design: Design, sets: Iterable[CrahSet], hall: str, first: str) -> tuple[CoolingUnit, ...]:
    units = []
    for name, sku in unit_names(sets, hall, first):
        part = design.plant_parts[sku]
        assert isinstance(part, Crah)
        units.append(CoolingUnit(name, sku, part.kw * 1000, part.airflow_cfm, part.fan_watts))
    return tuple(units)
