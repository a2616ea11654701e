"""The two large tables, cables and ports, from columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rackwright.design.cabling import CableRun
from rackwright.design.columns import RosterColumns
from rackwright.design.population import Population
from rackwright.design.ports import Ints
from rackwright.design.topology import Network
from rackwright.design.topology.build import members
from rackwright.model.schemas import SCHEMAS

Rows = NDArray[np.int64]
"""Row of the first port of every device."""


def cables(runs: Sequence[CableRun], columns: RosterColumns) -> pl.DataFrame:
    """One row per cable. A cable is named after its end nearer to the node (``train-001:mlx5_0``)."""
    if not runs:
        return pl.DataFrame(schema=SCHEMAS["cables"])
    return pl.concat([_cables(run, columns) for run in runs]).rechunk()


def _cables(run: CableRun, columns: RosterColumns) -> pl.DataFrame:
    wires = run.wires
    near, near_port = columns.device(wires.a), columns.port(wires.a, wires.a_port)
    frame = pl.DataFrame(
        {
            "a_device": near,
            "a_port": near_port,
            "b_device": columns.device(wires.b),
            "b_port": columns.port(wires.b, wires.b_port),
            "rail": np.full(len(wires), -1, dtype=np.int32) if wires.rail is None else wires.rail,
            "routed_meters": run.routed_meters,
            "length_meters": run.length_meters,
        }
    )
    return frame.select(
        pl.concat_str("a_device", pl.lit(":"), "a_port").alias("cable"),
        pl.lit(run.fabric).alias("fabric"),
        pl.lit(wires.kind).alias("kind"),
        "a_device",
        "a_port",
        "b_device",
        "b_port",
        pl.lit(wires.gbps, dtype=pl.Int32).alias("gbps"),
        pl.when(pl.col("rail") >= 0).then("rail").alias("rail"),
        pl.lit(wires.plane if wires.plane >= 0 else None, dtype=pl.Int32).alias("plane"),
        pl.col("routed_meters").fill_nan(None).round(2),
        pl.col("length_meters").fill_nan(None),
        pl.Series([part.sku for part in run.parts]).gather(pl.Series(run.part)).alias("sku"),
    )


def ports(population: Population, networks: Sequence[Network], cable_table: pl.DataFrame, runs: Sequence[CableRun],
          columns: RosterColumns) -> pl.DataFrame:  # fmt: skip
    """One row per port that exists, with its cable or null: machines first, then the switches of every fabric."""
    present = [machine.id for machine in population.present()]
    switches = [member.id for network in networks for member in network.members if member.present]
    devices = np.array(present + switches, dtype=np.int32)
    sizes = columns.sizes[columns.list_of[devices]]
    device = np.repeat(devices, sizes)
    starts = np.cumsum(sizes) - sizes
    port = (np.arange(len(device)) - np.repeat(starts, sizes)).astype(np.int32)
    flat = columns.at(device, port)
    first = np.zeros(len(columns.roster.names), dtype=np.int64)
    first[devices] = starts
    frame = pl.DataFrame(
        {
            "device": columns.device(device),
            "fabric": _fabric(population, networks, columns, device, flat),
            "cable": _plugged(runs, cable_table, first, len(device)),
            "reserved": _reserved(networks, first, len(device)),
            "at": flat,
        }
    )
    return frame.select(
        "device",
        columns.port_names.gather(pl.Series(flat)).alias("port"),
        _port_column(columns, "number", flat),
        "fabric",
        _port_column(columns, "gbps", flat),
        _port_column(columns, "rail", flat),
        "cable",
        "reserved",
    )


def _port_column(columns: RosterColumns, name: str, flat: Ints) -> pl.Series:
    values = np.array([getattr(port, name) for port in columns.flat], dtype=np.int32)[flat]
    series = pl.Series(name, values, dtype=pl.Int32)
    return series.set(series < 0, None)


def _plugged(runs: Sequence[CableRun], table: pl.DataFrame, first: Rows, rows: int) -> pl.Series:
    """The cable of every port: both ends of every cable, put at the row of the port."""
    number = np.full(rows, -1, dtype=np.int64)
    at = 0
    for run in runs:
        wires, count = run.wires, len(run.wires)
        order = np.arange(at, at + count)
        number[first[wires.a] + wires.a_port] = order
        number[first[wires.b] + wires.b_port] = order
        at += count
    index = pl.Series(number)
    return (
        table["cable"].gather(index.set(index < 0, None)) if table.height else pl.Series([None] * rows, dtype=pl.String)
    )


def _reserved(networks: Sequence[Network], first: Rows, rows: int) -> pl.Series:
    reserved = [(first[device] + port, purpose) for network in networks for device, port, purpose in network.reserved]
    purposes = list(dict.fromkeys(purpose for _, purpose in reserved))
    number = np.full(rows, -1, dtype=np.int64)
    for row, purpose in reserved:
        number[row] = purposes.index(purpose)
    index = pl.Series(number)
    return pl.Series([*purposes, None], dtype=pl.String).gather(index.set(index < 0, len(purposes)))


def _fabric(
    population: Population, networks: Sequence[Network], columns: RosterColumns, device: Ints, flat: Ints
) -> pl.Series:
    """Fabric of every port: a server's by pool and role, a switch's own, and the management fabric for its own port."""
    names = [network.fabric.name for network in networks]
    roles = list(dict.fromkeys(port.role for port in columns.flat))
    of_pool = _fabric_of(population, networks)
    group: dict[str | int, int] = {}
    of_device = np.zeros(len(columns.roster.names), dtype=np.int32)
    for machine in population.present():
        of_device[machine.id] = group.setdefault(machine.pool, len(group))
    for at, network in enumerate(networks):
        for member in network.members:
            of_device[member.id] = group.setdefault(at, len(group))
    management = next((at for at, network in enumerate(networks) if network.fabric.role == "bmc"), -1)
    table = np.full((len(group), len(roles)), -1, dtype=np.int32)
    for key, row in group.items():
        for column, role in enumerate(roles):
            if isinstance(key, str):
                table[row, column] = of_pool.get((key, role), -1)
            else:
                table[row, column] = management if role == "management" else key
    role_of = np.array([roles.index(port.role) for port in columns.flat], dtype=np.int32)
    index = pl.Series(table[of_device[device], role_of[flat]])
    return pl.Series(names, dtype=pl.String).gather(index.set(index < 0, None))


def _fabric_of(population: Population, networks: Sequence[Network]) -> Mapping[tuple[str, str], int]:
    """Fabric by pool (or role of a control server) and role of the port."""
    fabric_by_port: dict[tuple[str, str], int] = {}
    for at, network in enumerate(networks):
        units, control = members(network.fabric, population)
        for pool in dict.fromkeys([unit.pool.name for unit in units] + [machine.pool for machine in control]):
            fabric_by_port.setdefault((pool, network.fabric.role), at)
    return fabric_by_port
