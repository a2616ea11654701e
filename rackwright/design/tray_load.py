"""Load of the cable trays: every cable from rack to rack, over the sections that it runs through.

A cable runs along the row of its first end to the position of the other and crosses the aisles there; to another hall it runs to the end of its row
and from there to the first row, as cable lengths are computed (``rackwright.design.cabling``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rackwright.catalog import pathway_practice
from rackwright.design.cable_groups import between_racks
from rackwright.model.design import Design
from rackwright.model.facility import CableTray

Ints = NDArray[np.int64]
Amounts = NDArray[np.float64]
"""Square millimetres and cables in the last axis."""


@dataclass(frozen=True)
class TrayLoad:
    """The fullest section of the trays of a hall."""

    hall: str
    section: str
    """``above row 2 between positions 3 and 4``."""
    square_mm: float
    """Cross-sections of all cables whose diameter is known."""
    cables: int
    unknown: tuple[str, ...]
    """SKUs in the hall without a diameter."""


def usual_tray() -> CableTray:
    """What is assumed where a site declares no trays."""
    usual = pathway_practice.load().tray
    return CableTray(width_mm=usual.width_mm, depth_mm=usual.depth_mm)


def trays_needed(load: TrayLoad, tray: CableTray) -> int:
    """Number of trays of the size of `tray` that hold `load` at the planning share."""
    share = pathway_practice.load().tray.planning_share
    return math.ceil(load.square_mm / (tray.width_mm * tray.depth_mm * share))


@dataclass(frozen=True)
class _Ends:
    """One end of every group of equal cables."""

    hall: Ints
    row: Ints
    position: Ints


def tray_loads(design: Design) -> list[TrayLoad]:
    """One per hall with cables between racks, in the order of the site."""
    groups = _groups(design)
    if groups.is_empty():
        return []
    a, b = (_Ends(*(groups[f"{end}_{name}"].to_numpy() for name in ("hall", "row", "position"))) for end in "ab")
    amount = groups.select("square_mm", pl.col("cables").cast(pl.Float64)).to_numpy()
    rows, positions = (int(design.racks[name].to_numpy().max()) for name in ("row", "position"))
    shape = (len(design.site.facility.halls), rows + 2, positions + 2)
    above, across = _loads(a, b, amount, shape)
    loads = []
    for number, hall in enumerate(design.site.facility.halls):
        mine = groups.filter((pl.col("a_hall") == number) | (pl.col("b_hall") == number))
        if not mine.is_empty():
            unknown = tuple(mine.filter(pl.col("diameter").is_null())["sku"].unique().sort())
            loads.append(TrayLoad(hall.name, *_fullest(above[number], across[number]), unknown))
    return loads


def _groups(design: Design) -> pl.DataFrame:
    """`between_racks` with numbers of halls, the ``diameter`` of a cable (null where none is known) and ``square_mm`` of all."""
    halls = {hall.name: number for number, hall in enumerate(design.site.facility.halls)}
    diameters = {sku: part.diameter_mm for sku, part in design.cable_parts.items()}
    diameter = pl.col("sku").replace_strict(diameters, default=None, return_dtype=pl.Float64)
    groups = between_racks(design).with_columns(
        pl.col("a_hall", "b_hall").replace_strict(halls, return_dtype=pl.Int64), diameter=diameter
    )
    area = pl.col("diameter") ** 2 * np.pi / 4 * pl.col("cables")
    return groups.with_columns(square_mm=area.fill_null(0.0))


def _loads(a: _Ends, b: _Ends, amount: Amounts, shape: tuple[int, int, int]) -> tuple[Amounts, Amounts]:
    """Load of every section above a row (hall, row, position) and across the aisles (hall, position, row), up to the next place."""
    halls, rows, positions = shape
    above, across = np.zeros((halls, rows, positions, 2)), np.zeros((halls, positions, rows, 2))
    home = a.hall == b.hall
    stay = amount[home]
    _add(above, a.hall[home], a.row[home], a.position[home], b.position[home], stay)
    _add(across, a.hall[home], b.position[home], a.row[home], b.row[home], stay)
    for end in (a, b):
        hall, row, position, away = end.hall[~home], end.row[~home], end.position[~home], amount[~home]
        _add(above, hall, row, np.zeros_like(position), position, away)
        _add(across, hall, np.zeros_like(position), np.ones_like(row), row, away)
    return above.cumsum(axis=2), across.cumsum(axis=2)


def _add(grid: Amounts, hall: Ints, line: Ints, start: Ints, end: Ints, amount: Amounts) -> None:
    """Adds +amount where cables begin along a line and -amount where they end; the running sum is the load."""
    np.add.at(grid, (hall, line, np.minimum(start, end)), amount)
    np.add.at(grid, (hall, line, np.maximum(start, end)), -amount)


def _fullest(above: Amounts, across: Amounts) -> tuple[str, float, int]:
    row, position = np.unravel_index(above[..., 0].argmax(), above.shape[:2])
    place, aisle = np.unravel_index(across[..., 0].argmax(), across.shape[:2])
    along, over = above[row, position], across[place, aisle]
    if over[0] > along[0]:
        return f"across from row {aisle} to row {aisle + 1} at position {place}", float(over[0]), round(over[1])
    where = f"between positions {position} and {position + 1}" if position else "at its end"
    return f"above row {row} {where}", float(along[0]), round(along[1])
