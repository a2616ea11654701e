"""The plant equipment with readings, rack PDUs, power shelves and CDUs, and the design figures of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import polars as pl

from rackwright.model.design import Design
from rackwright.model.facility import Circuit, Liquid
from rackwright.model.plant import Cdu, Pdu, PowerShelf

RACK_PDU, POWER_SHELF, CDU = "rack_pdu", "power_shelf", "cdu"
P = TypeVar("P", Pdu, PowerShelf, Cdu)
BY_RACK, BY_ROW = ("rack", "rack-and-row"), ("row", "rack-and-row")
"""Declared places of leak detectors."""


@dataclass(frozen=True)
class Equipment:
    """One device of the plant."""

    name: str
    address: str
    """Of its management port."""
    place: str
    """Rack of a PDU or a power shelf, hall of a CDU."""
    kind = ""
    """Role by which collectors know it."""


@dataclass(frozen=True)
class RackPdu(Equipment):
    """A rack PDU and the circuit that it ends. Watts as in the tables ``circuits`` and ``power``."""

    part: Pdu
    circuit: Circuit
    feed: str
    cords: int
    """Supplies that are plugged into it."""
    load_watts: float
    """At the peak of all, with every feed alive."""
    worst_watts: float
    """After the worst loss that must be survived."""
    line_watts: tuple[float, float, float]
    to_neutral: bool
    """Whether its outlets are between a line and neutral, so that the current of a line tells of the load on it alone."""
    kind = RACK_PDU


@dataclass(frozen=True)
class ShelfUnit(Equipment):
    """A power shelf, which feeds the busbar of its rack, and the circuit that feeds it."""

    part: PowerShelf
    circuit: Circuit
    load_watts: float
    """At the peak of the rack, with every feed alive."""
    kind = POWER_SHELF

    @property
    def spare(self) -> int:
        """Rectifiers that may fail: the share of the shelf that the rack does not need at its peak."""
        return int(self.part.psus * (1 - self.part.needed_share))


@dataclass(frozen=True)
class CoolantUnit(Equipment):
    """A CDU and its share of the loop."""

    part: Cdu
    liquid: Liquid
    flow_liters_per_minute: float
    """Of this unit, with all units alive."""
    pressure_kpa: float | None
    """What the loop needs; None where nobody has worked it out."""
    detectors: tuple[str, ...]
    """Racks (and ``HALL row N``) whose leak detectors it hears; all units of a hall hear all of them."""
    pumps_spare: int
    """Pumps that may fail."""
    kind = CDU


def equipment(design: Design, nodes: Sequence[str] | None = None) -> list[Equipment]:
    """Equipment in the racks and halls of `nodes` (default: all), PDUs first, then power shelves, each in design order."""
    racks = design.racks
    if nodes is not None:
        mine = design.node_table.filter(pl.col("node").is_in(list(nodes)))["rack"]
        racks = racks.filter(pl.col("rack").is_in(mine.unique().implode()))
    return [*_pdus(design, racks), *_shelves(design, racks), *_cdus(design, racks)]


def _pdus(design: Design, racks: pl.DataFrame) -> Iterator[RackPdu]:
    power = design.site.facility.power
    if power.management == "none" or racks.is_empty():
        return
    circuits = design.circuits.select("circuit", "l1_watts", "l2_watts", "l3_watts")
    between = pl.col("phase").str.contains("-").any()
    cords = design.psus.group_by("circuit").agg(pl.len().alias("cords"), between.alias("between"))
    rows = _power_rows(design, racks, "pdu")
    rows = rows.join(circuits, left_on="parent", right_on="circuit", maintain_order="left")
    rows = rows.join(cords, left_on="parent", right_on="circuit", how="left", maintain_order="left")
    for row, part, address in _units(design, rows, "element", Pdu):
        yield RackPdu(
            name=row["element"],
            address=address,
            place=row["rack"],
            part=part,
            circuit=power.circuit,
            feed=row["feed"],
            cords=row["cords"] or 0,
            load_watts=row["load_watts"],
            worst_watts=row["worst_watts"],
            line_watts=(row["l1_watts"], row["l2_watts"], row["l3_watts"]),
            to_neutral=not row["between"],
        )


def _shelves(design: Design, racks: pl.DataFrame) -> Iterator[ShelfUnit]:
    power = design.site.facility.power
    if power.management == "none" or racks.is_empty():
        return
    for row, part, address in _units(design, _power_rows(design, racks, "shelf"), "element", PowerShelf):
        yield ShelfUnit(
            name=row["element"],
            address=address,
            place=row["rack"],
            part=part,
            circuit=power.circuit,
            load_watts=row["load_watts"],
        )


def _cdus(design: Design, racks: pl.DataFrame) -> Iterator[CoolantUnit]:
    liquid = design.site.facility.liquid
    if liquid is None or liquid.management == "none":
        return
    halls = racks.filter(pl.col("liquid_watts") > 0)["hall"].unique()
    rows = design.cooling.filter((pl.col("kind") == "cdu") & pl.col("hall").is_in(halls.implode()))
    loops: dict[str, dict[str, Any]] = {loop["loop"]: loop for loop in design.studies["cooling"]["loops"]}
    for row, part, address in _units(design, rows, "unit", Cdu):
        yield CoolantUnit(
            name=row["unit"],
            address=address,
            place=row["hall"],
            part=part,
            liquid=liquid,
            flow_liters_per_minute=row["flow"],
            pressure_kpa=loops[row["loop"]]["needed_pressure_kpa"],
            detectors=_detectors(design, row["hall"], liquid),
            pumps_spare=liquid.survive.pumps,
        )


def _detectors(design: Design, hall: str, liquid: Liquid) -> tuple[str, ...]:
    wet = design.racks.filter((pl.col("hall") == hall) & (pl.col("liquid_watts") > 0))
    racks = wet["rack"].to_list() if liquid.leak_detection in BY_RACK else []
    rows = wet["row"].unique(maintain_order=True).to_list() if liquid.leak_detection in BY_ROW else []
    return (*racks, *(f"{hall} row {row}" for row in rows))


def _power_rows(design: Design, racks: pl.DataFrame, kind: str) -> pl.DataFrame:
    return design.power.filter((pl.col("kind") == kind) & pl.col("rack").is_in(racks["rack"].implode()))


def _units(design: Design, rows: pl.DataFrame, name: str, kind: type[P]) -> Iterator[tuple[dict[str, Any], P, str]]:
    """(row, part, management address) of every row; parts are of `kind`, and the column `name` holds the device name."""
    mine = (pl.col("family") == 4) & pl.col("device").is_in(rows[name].implode())
    addresses = dict(design.addresses.filter(mine).select("device", "address").iter_rows())
    for row in rows.iter_rows(named=True):
        part = design.plant_parts[row["sku"]]
        assert isinstance(part, kind), f"{row[name]} is no {kind.__name__}"
        yield row, part, addresses[row[name]]
