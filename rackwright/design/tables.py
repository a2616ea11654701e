"""Puts the plan into the tables of `Design`, with exactly the columns of ``SCHEMAS``. No decisions here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from rackwright.design.cooling import Heat, Media, of_part
from rackwright.design.placement import SiteLayout
from rackwright.design.population import Population
from rackwright.design.power import Hookup, frames
from rackwright.design.topology import Network
from rackwright.model.schemas import SCHEMAS

Row = tuple[Any, ...]
IPV4 = 4


def table(name: str, rows: Iterable[Row]) -> pl.DataFrame:
    """The rows as the table `name`; values that do not fit the schema are a bug in rackwright."""
    return pl.DataFrame(list(rows), schema=SCHEMAS[name], orient="row")


def racks(layout: SiteLayout, through: Media) -> pl.DataFrame:
    """One row per rack with devices, in the order of the places; `through` gives the flow that its heat needs."""
    inside: dict[str, Counter[str]] = defaultdict(Counter)
    parts = {}
    for device in layout.present():
        inside[device.rack][device.part.sku] += 1
        parts[device.part.sku] = device.part
    of_sku = {sku: of_part(part, through) for sku, part in parts.items()}
    rows = []
    for name in layout.racks():
        at, content = layout.places[name], sorted(inside[name].items())
        weight = round(sum(parts[sku].weight_kg * count for sku, count in content), 2)
        watts = sum(parts[sku].peak_watts * count for sku, count in content)
        heat = sum((of_sku[sku] * count for sku, count in content), Heat())
        flows = (round(heat.coolant_liters_per_minute, 3), round(heat.airflow_cfm, 3))
        head = (name, at.hall, at.row, at.position, at.rack.sku, at.rack.rack_units, layout.kinds[name], weight, watts)
        rows.append((*head, heat.liquid_watts, heat.air_watts, *flows))
    return table("racks", rows)


def devices(layout: SiteLayout) -> pl.DataFrame:
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


def nodes(
    population: Population, layout: SiteLayout, networks: Sequence[Network], addresses: pl.DataFrame
) -> pl.DataFrame:
    """One row per machine whose operating system rackwright installs; storage servers and unmanaged devices come with their own."""
    slots = {device.id: (device.rack, device.unit) for device in layout.devices}
    rows = []
    for machine in population.present():
        if machine.role in ("storage", "unmanaged"):
            continue
        rack, unit = slots[machine.id]
        head = (machine.name, machine.pool, machine.role, machine.server.sku, rack, unit, machine.unit, machine.index)
        rows.append((*head, machine.server.accelerators, "", "", machine.scheduler))
    frame = table("nodes", rows)
    for role in ("inband", "bmc"):
        names = [network.fabric.name for network in networks if network.fabric.role == role]
        mine = addresses.filter(pl.col("network").is_in(names) & (pl.col("family") == IPV4))
        one_each = mine.unique("device", keep="first", maintain_order=True).select("device", "address")
        frame = frame.join(one_each, left_on="node", right_on="device", how="left", maintain_order="left")
        column = f"{role}_address"
        frame = frame.with_columns(pl.col("address").fill_null("").alias(column)).drop("address")
    return frame


def circuits(hookup: Hookup) -> pl.DataFrame:
    """One row per rack circuit."""
    return frames.circuits(hookup)


def psus(hookup: Hookup) -> pl.DataFrame:
    """One row per power supply."""
    return frames.psus(hookup)
