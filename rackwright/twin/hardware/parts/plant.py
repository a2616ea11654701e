"""Faults of the rack PDUs, power shelves and CDUs of the twin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from rackwright.model.design import Design
from rackwright.model.equipment import CoolantUnit, RackPdu, ShelfUnit, equipment

PlantUnit = RackPdu | ShelfUnit | CoolantUnit
IDLE_SHARE = 0.25
"""Of the peak, without a job: as the BMCs of the twin say of their machines (`parts.chassis`)."""


@dataclass(frozen=True)
class PduReadings:
    """Readings that a fault changes; the defaults are those of a healthy PDU."""

    load_share: float = IDLE_SHARE
    """Of the designed peak."""
    line_shares: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """By line, of what the line should carry of that."""
    volts_share: float = 1.0
    """Of the nominal voltage; 0 where the feed is dead."""
    dead_lines: tuple[str, ...] = ()
    tripped: tuple[int, ...] = ()
    """Branches whose breaker has tripped, by number."""
    rating_share: float = 1.0
    """What its inlet may carry, of the circuit that was designed."""
    made_for: float = 0.0
    """Volts between lines that it and its outlets are made for; 0: those of its circuit."""
    wiring: str = ""
    """Of its inlet (PhaseWiringType); empty: as its circuit."""
    dark_outlets: int = 0
    """Outlets that are switched off, the first ones."""
    health: str = "OK"
    silent: bool = False
    """Its controller does not answer."""


@dataclass(frozen=True)
class ShelfReadings:
    """Readings that a fault changes; the defaults are those of a healthy power shelf."""

    load_share: float = IDLE_SHARE
    """Of the designed peak."""
    volts_share: float = 1.0
    """Of the nominal voltage; 0 where the feed is dead."""
    failed: tuple[int, ...] = ()
    """Rectifiers that have failed, by number from 1."""
    off: tuple[int, ...] = ()
    """Rectifiers that are switched off, by number from 1."""
    missing: tuple[int, ...] = ()
    """Places without a rectifier, by number from 1."""
    capacity_share: float = 1.0
    """What each rectifier can deliver, of the one that was designed."""
    needed: int = 0
    """Rectifiers that its group is set to need; 0: those of the design."""
    made_for: float = 0.0
    """Volts between lines that its inlets are made for; 0: those of its circuit."""
    silent: bool = False


@dataclass(frozen=True)
class CduReadings:
    """Readings that a fault changes; the defaults are those of a healthy CDU."""

    supply_kelvin: float = 0.0
    """How much warmer the coolant is than it should be."""
    water_kelvin: float = 0.0
    """How much warmer the facility water is than it should be."""
    flow_share: float = 1.0
    pressure_share: float = 1.0
    failed_pumps: tuple[int, ...] = ()
    level_percent: float = 82.0
    level: str = "OK"
    reaction: str = ""
    """What its leak detectors do about a leak; empty: as declared."""
    warning_reaction: str = ""
    """The same about a warning."""
    reaction_delay_seconds: int | None = None
    """How long they wait before they react; None: as declared."""
    wet: tuple[str, ...] = ()
    """Places whose leak detector is wet."""
    lost_detectors: tuple[str, ...] = ()
    health: str = "OK"
    silent: bool = False


@dataclass(frozen=True)
class Plant:
    """The plant around the machines of the twin, by name."""

    units: dict[str, PlantUnit] = field(default_factory=dict)
    pdus: dict[str, PduReadings] = field(default_factory=dict)
    shelves: dict[str, ShelfReadings] = field(default_factory=dict)
    cdus: dict[str, CduReadings] = field(default_factory=dict)
    around: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By machine: the PDUs and power shelves of its rack, then the CDUs of its hall."""

    def silent(self, name: str) -> bool:
        """Whether the controller of `name` does not answer."""
        unit = self.pdus.get(name) or self.shelves.get(name) or self.cdus.get(name)
        return unit is None or unit.silent


def healthy(design: Design, nodes: Sequence[str]) -> Plant:
    """The plant around `nodes`, as it was designed."""
    units = {unit.name: unit for unit in equipment(design, nodes) if isinstance(unit, PlantUnit)}
    return Plant(
        units=units,
        pdus={name: PduReadings() for name, unit in units.items() if isinstance(unit, RackPdu)},
        shelves={name: ShelfReadings() for name, unit in units.items() if isinstance(unit, ShelfUnit)},
        cdus={name: CduReadings() for name, unit in units.items() if isinstance(unit, CoolantUnit)},
        around={node: _plant_of_node(design, node, units) for node in nodes} if units else {},
    )


def _plant_of_node(design: Design, node: str, units: dict[str, PlantUnit]) -> tuple[str, ...]:
    rack = design.node(node).rack
    row = design.racks.filter(pl.col("rack") == rack).row(0, named=True)
    cooled = row["hall"] if row["liquid_watts"] else None
    return tuple(name for name, unit in units.items() if unit.place in (rack, cooled))
