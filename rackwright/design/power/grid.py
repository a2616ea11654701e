"""The power side of a finished design in numbers, with one `RackKind` per different rack.

Racks are of one kind when their loads, supplies and circuits are equal, apart from the rotation of their phases.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from rackwright.catalog import power_practice
from rackwright.design.power import rows
from rackwright.design.power.block import Flags, Ints, RackBlock, sum_by
from rackwright.design.power.capacity import PHASES, Lines, circuit_lines
from rackwright.model.design import Design


@dataclass(frozen=True, eq=False)
class RackKind:
    """One kind of rack: its block, what each of its groups holds, and the racks of this kind."""

    block: RackBlock
    nodes: Ints
    accelerators: Ints
    members: Ints
    """Devices of each group; 0 where a device shares the group of another."""
    plugged: Flags
    """Supplies with an outlet."""
    shelf: Flags
    """Supplies in a power shelf."""
    racks: list[int]


@dataclass(frozen=True, eq=False)
class Grid:
    """Columns over racks, devices, circuits and supplies, sorted rack by rack."""

    feeds: tuple[str, ...]
    racks: list[str]
    row: Ints
    """Of every rack: the row of racks it stands in."""
    rows: list[tuple[str, int]]
    """Hall and number of every row."""
    kind: Ints
    kinds: list[RackKind]
    devices: pl.Series
    group: Ints
    """Of every device: the device that stands for the group of supplies it uses."""
    first_device: Ints
    circuits: pl.Series
    first_circuit: Ints
    supplies: pl.DataFrame
    first_supply: Ints

    def rack_circuits(self, rack: int) -> list[str]:
        """Circuits of a rack."""
        return self.circuits[int(self.first_circuit[rack]) : int(self.first_circuit[rack + 1])].to_list()

    def device(self, rack: int, group: int) -> str:
        """The device that stands for a group of a rack."""
        return str(self.devices[int(self.first_device[rack]) + group])


def read_grid(design: Design) -> Grid:
    """The grid of a design."""
    places = design.racks.select("rack").with_row_index("at")
    devices = rows.devices(design, places)
    circuits = rows.circuits(design, places)
    supplies = rows.supplies(design, devices, circuits)
    group = _groups(devices, places.height)
    fed = _group_by_supply(devices, supplies, group, places.height)
    supplies, fed = supplies.filter(pl.Series(fed >= 0)), fed[fed >= 0]
    first = {
        "first_device": _starts(devices, places.height),
        "first_circuit": _starts(circuits, places.height),
        "first_supply": _starts(supplies, places.height),
    }
    lines = circuit_lines(design.site.facility.power.circuit, power_practice.load().outlet_volts)
    tables = _Columns(_loads(devices, group), _supplies(supplies, fed, first), _usable_circuits(circuits), lines)
    kind, kinds = _kinds(tables, first)
    row = design.racks.select(pl.struct("hall", "row").rank("dense").alias("n"), "hall", "row")
    hall_rows = row.unique("n", maintain_order=True).sort("n")
    return Grid(
        feeds=tuple(design.site.facility.power.feeds),
        racks=places["rack"].to_list(),
        row=row["n"].to_numpy().astype(np.int64) - 1,
        rows=list(hall_rows.select("hall", "row").iter_rows()),
        kind=kind,
        kinds=kinds,
        devices=devices["device"],
        group=group,
        circuits=circuits["circuit"],
        supplies=supplies.select("device", "psu"),
        **first,
    )


@dataclass(frozen=True, eq=False)
class _Columns:
    """Integer rows that decide whether racks are equal; watts in tenths."""

    loads: Ints
    """By device: load and supplies needed, both after a loss, nodes, accelerators, devices."""
    supplies: Ints
    """By supply: group and circuit within the rack, feed, phase, rating, plugged, in a shelf."""
    circuits: Ints
    """By circuit: watts, feed."""
    lines: Lines


def _starts(frame: pl.DataFrame, racks: int) -> Ints:
    return np.searchsorted(frame["at"].to_numpy(), np.arange(racks + 1)).astype(np.int64)


def _groups(devices: pl.DataFrame, racks: int) -> Ints:
    """Group of every device: itself, or the first device on the busbar of its rack."""
    busbar, rack = devices["count"].to_numpy() == 0, devices["at"].to_numpy()
    first = np.full(racks, -1, dtype=np.int64)
    at = np.flatnonzero(busbar)[::-1]
    first[rack[at]] = at
    return np.where(busbar, first[rack], np.arange(len(busbar)))


def _group_by_supply(devices: pl.DataFrame, supplies: pl.DataFrame, group: Ints, racks: int) -> Ints:
    """Group that every supply feeds: its device, or the busbar of its rack; -1 where it feeds nothing."""
    busbar = devices["count"].to_numpy() == 0
    shared = np.full(racks, -1, dtype=np.int64)
    shared[devices["at"].to_numpy()[busbar]] = group[busbar]
    device_group = supplies["device_at"].cast(pl.Int64).fill_null(-1).to_numpy()
    return np.where(device_group < 0, shared[supplies["at"].to_numpy()], device_group)


def _loads(devices: pl.DataFrame, group: Ints) -> Ints:
    size = devices.height
    counted = devices["accelerators"].is_not_null().to_numpy().astype(np.int64)
    needed, capped_needed = (
        np.where(devices["count"].to_numpy() == 0, 0, devices[name].to_numpy()) for name in ("needed", "capped_needed")
    )
    columns = (
        sum_by(group, devices["peak_watts"].to_numpy() * 10, size),
        needed,
        sum_by(group, devices["capped_watts"].to_numpy() * 10, size),
        capped_needed,
        sum_by(group, counted, size),
        sum_by(group, devices["accelerators"].fill_null(0).to_numpy(), size),
        np.bincount(group, minlength=size),
    )
    return np.column_stack(columns).astype(np.int64)


def _supplies(supplies: pl.DataFrame, fed: Ints, first: dict[str, Ints]) -> Ints:
    """Integer rows by supply. Phases count from that of the first supply of the rack, so that a rotated tap does not make another kind."""
    rack, phase = supplies["at"].to_numpy(), supplies["phase"].to_numpy()
    turn = phase[np.minimum(first["first_supply"][rack], max(0, len(phase) - 1))] if len(phase) else phase
    columns = (
        fed - first["first_device"][rack],
        supplies["circuit_at"].to_numpy().astype(np.int64) - first["first_circuit"][rack],
        supplies["feed"].to_numpy(),
        (phase - turn) % PHASES,
        supplies["watts"].to_numpy(),
        supplies["outlet"].is_not_null().to_numpy(),
        supplies["device_at"].is_null().to_numpy(),
    )
    return np.column_stack(columns).astype(np.int64)


def _usable_circuits(circuits: pl.DataFrame) -> Ints:
    tenths = np.round(circuits["usable_watts"].to_numpy() * 10)
    return np.column_stack((tenths, circuits["feed"].to_numpy())).astype(np.int64)


def _kinds(columns: _Columns, first: dict[str, Ints]) -> tuple[Ints, list[RackKind]]:
    """Kind of every rack, and the kinds, in the order in which they first appear."""
    kind_by_content: dict[tuple[bytes, ...], int] = {}
    kinds: list[RackKind] = []
    kind_of_rack = []
    device, circuit, supply = (first[name].tolist() for name in ("first_device", "first_circuit", "first_supply"))
    for rack in range(len(device) - 1):
        parts = [
            columns.loads[device[rack] : device[rack + 1]],
            columns.supplies[supply[rack] : supply[rack + 1]],
            columns.circuits[circuit[rack] : circuit[rack + 1]],
        ]
        at = kind_by_content.setdefault(tuple(part.tobytes() for part in parts), len(kinds))
        if at == len(kinds):
            kinds.append(_kind(parts, columns.lines))
        kinds[at].racks.append(rack)
        kind_of_rack.append(at)
    return np.array(kind_of_rack, dtype=np.int64), kinds


def _kind(parts: list[Ints], lines: Lines) -> RackKind:
    loads, supplies, circuits = parts
    block = RackBlock(
        load=loads[:, 0] / 10,
        needed=loads[:, 1],
        capped_load=loads[:, 2] / 10,
        capped_needed=loads[:, 3],
        group=supplies[:, 0],
        circuit=supplies[:, 1],
        feed=supplies[:, 2],
        phase=supplies[:, 3],
        watts=supplies[:, 4],
        usable=circuits[:, 0] / 10,
        circuit_feed=circuits[:, 1],
        lines=lines,
    )
    return RackKind(block, loads[:, 4], loads[:, 5], loads[:, 6], supplies[:, 5] == 1, supplies[:, 6] == 1, [])
