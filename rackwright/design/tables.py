"""Turns what was worked out into the tables of `Design`, with exactly the columns of ``SCHEMAS``. No decisions here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from rackwright.design.addressing import Address
from rackwright.design.cabling import Run
from rackwright.design.placement import Layout
from rackwright.design.population import Machine, Population
from rackwright.design.power import Psu, RackCircuit
from rackwright.design.topology import Network
from rackwright.design.topology.build import members
from rackwright.model.schemas import SCHEMAS

Row = tuple[Any, ...]


def table(name: str, rows: Iterable[Row]) -> pl.DataFrame:
    """The rows as the table `name`; values that do not fit the schema are a bug of ours."""
    return pl.DataFrame(list(rows), schema=SCHEMAS[name], orient="row")


def racks(layout: Layout) -> pl.DataFrame:
    """One row per rack that holds something, in the order of the places."""
    weight: dict[str, float] = defaultdict(float)
    watts: dict[str, int] = defaultdict(int)
    for device in layout.present():
        weight[device.rack] += device.part.weight_kg
        watts[device.rack] += device.part.peak_watts
    rows = []
    for name in layout.racks():
        at = layout.places[name]
        kind, sku = layout.kinds[name], at.rack
        rows.append(
            (
                name,
                at.hall,
                at.row,
                at.position,
                sku.sku,
                sku.rack_units,
                kind,
                round(weight[name], 2),
                watts[name],
            )
        )
    return table("racks", rows)


def devices(layout: Layout) -> pl.DataFrame:
    """One row per device, rack by rack and from the bottom up."""
    order = {rack: number for number, rack in enumerate(layout.places)}
    ranked = sorted(layout.present(), key=lambda device: (order[device.rack], device.unit))
    return table(
        "devices",
        (
            (
                d.name,
                d.kind,
                d.role,
                d.part.sku,
                d.rack,
                d.unit,
                d.part.rack_units,
                d.fabric,
                d.pool,
                d.scalable_unit,
                d.index,
                d.part.peak_watts,
                float(d.part.weight_kg),
            )
            for d in ranked
        ),
    )


def nodes(population: Population, layout: Layout, networks: Sequence[Network], found: list[Address]) -> pl.DataFrame:
    """One row per machine with an operating system and a BMC."""
    roles = {network.fabric.name: network.fabric.role for network in networks}
    at = {(roles[one.network], one.device): one.address for one in found}
    slots = {device.name: (device.rack, device.unit) for device in layout.devices}
    rows = []
    for one in population.present():
        rack, unit = slots[one.name]
        inband, bmc = at.get(("inband", one.name), ""), at.get(("bmc", one.name), "")
        head = (one.name, one.pool, one.role, one.server.sku, rack, unit, one.unit, one.index)
        rows.append((*head, one.server.accelerators, inband, bmc, one.scheduler))
    return table("nodes", rows)


def ports(population: Population, networks: Sequence[Network], runs: Iterable[Run]) -> pl.DataFrame:
    """One row per port that exists, with its cable or null."""
    plugged = {}
    for run in runs:
        plugged[run.wire.a_device, run.wire.a_port] = run.name
        plugged[run.wire.b_device, run.wire.b_port] = run.name
    fabric_of = _fabric_of(population, networks)
    rows = [row for one in population.present() for row in _server_ports(one, fabric_of, plugged)]
    management = next((network.fabric.name for network in networks if network.fabric.role == "bmc"), None)
    rows += [row for network in networks for row in _switch_ports(network, management, plugged)]
    return table("ports", rows)


def cables(runs: Iterable[Run]) -> pl.DataFrame:
    """One row per cable."""
    return table(
        "cables",
        (
            (
                r.name,
                r.fabric,
                r.wire.kind,
                r.wire.a_device,
                r.wire.a_port,
                r.wire.b_device,
                r.wire.b_port,
                r.wire.gbps,
                r.length_meters,
                r.part.sku,
            )
            for r in runs
        ),
    )


def addresses(found: Iterable[Address]) -> pl.DataFrame:
    """One row per address."""
    return table("addresses", ((one.address, one.prefix, one.network, one.device, one.interface) for one in found))


def circuits(found: Iterable[RackCircuit]) -> pl.DataFrame:
    """One row per rack circuit."""
    return table("circuits", ((one.circuit, one.rack, one.feed, one.usable_watts, one.load_watts) for one in found))


def psus(found: Iterable[Psu]) -> pl.DataFrame:
    """One row per power supply."""
    return table("psus", ((one.device, one.psu, one.watts, one.circuit, one.feed) for one in found))


def _fabric_of(population: Population, networks: Sequence[Network]) -> Mapping[tuple[str, str], str]:
    """Fabric by pool (or control server) and role."""
    found: dict[tuple[str, str], str] = {}
    for network in networks:
        units, control = members(network.fabric, population)
        for pool in [unit.pool.name for unit in units] + [one.pool for one in control]:
            found.setdefault((pool, network.fabric.role), network.fabric.name)
    return found


def _server_ports(one: Machine, fabric_of: Mapping[tuple[str, str], str], plugged: Mapping[Any, str]) -> list[Row]:
    rows: list[Row] = []
    for group in one.server.ports:
        fabric = fabric_of.get((one.pool, group.role))
        for number, name in enumerate(group.names):
            rail = number if group.role == "compute" else None
            rows.append((one.name, name, number + 1, fabric, group.gbps, rail, plugged.get((one.name, name))))
    return rows


def _switch_ports(network: Network, management: str | None, plugged: Mapping[Any, str]) -> list[Row]:
    part, fabric = network.switch, network.fabric.name
    groups = [part.ports] + ([part.uplinks] if part.uplinks else [])
    rates = [group.gbps for group in groups for _ in range(group.count)]
    rows: list[Row] = []
    for member in network.members:
        for number, gbps in enumerate(rates, start=1):
            name = network.port(number)
            rows.append((member.name, name, number, fabric, gbps, None, plugged.get((member.name, name))))
        if part.management_port:
            own = plugged.get((member.name, part.management_port))
            gigabit = 1
            rows.append((member.name, part.management_port, len(rates) + 1, management, gigabit, None, own))
    return rows
