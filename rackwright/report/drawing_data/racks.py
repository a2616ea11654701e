"""Both sides of the racks: devices, power supplies with their circuits, switch ports, PDUs."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import polars as pl

from rackwright.model.design import Design
from rackwright.model.plant import PowerShelf
from rackwright.report.drawing_data import heat, plant
from rackwright.report.drawing_data.records import Face, FaceSlot, FaceStrip, Shelf

RACK_KINDS_ONLY = 64
"""A site with more racks is drawn one rack of each kind, unless racks are named."""


def faces(design: Design, pattern: str | None = None, *, kinds: bool | None = None) -> list[Face]:
    """Racks in design order. `pattern` is a name or a pattern (``train-r*``); `kinds` draws one rack of each kind.

    By default all racks are drawn, or one of each kind if there are many.
    """
    racks = heat.racks(design)
    if pattern is not None:
        names = [rack for rack in racks["rack"] if fnmatchcase(rack, pattern)]
        alike = {rack: [rack] for rack in names}
    elif kinds or (kinds is None and racks.height > RACK_KINDS_ONLY):
        alike = _racks_by_kind(design)
    else:
        alike = {rack: [rack] for rack in racks["rack"]}
    rows = racks.filter(pl.col("rack").is_in(list(alike)))
    inside = _Inside(design, list(alike))
    return [_rack_face(design, row, inside, alike[row["rack"]]) for row in rows.iter_rows(named=True)]


def _racks_by_kind(design: Design) -> dict[str, list[str]]:
    """First rack of each kind, with all racks of that kind."""
    feeds = design.psus.group_by("device").agg(
        (pl.col("psu").cast(pl.String) + pl.col("feed")).sort().str.join(",").alias("fed")
    )
    content = pl.concat_str(
        [pl.col("unit"), pl.col("sku"), pl.col("role"), pl.col("fabric"), pl.col("fed")],
        separator="|",
        ignore_nulls=True,
    )
    signed = (
        design.devices.join(feeds, on="device", how="left")
        .group_by("rack")
        .agg(content.sort().str.join(";").alias("content"))
    )
    groups = (
        design.racks.select("rack", "sku")
        .join(signed, on="rack", how="left", maintain_order="left")
        .group_by("sku", "content", maintain_order=True)
        .agg("rack")
    )
    return {racks[0]: racks for racks in groups["rack"].to_list()}


class _Inside:
    """Rows of the tables by rack and device, for the racks that are drawn."""

    def __init__(self, design: Design, racks: list[str]) -> None:
        in_racks = pl.col("rack").is_in(racks)
        devices = design.devices.filter(in_racks).sort("rack", "unit", "device")
        self.devices = devices.partition_by("rack", as_dict=True)
        names = list(devices["device"])
        psus = design.psus.filter(pl.col("device").is_in(names)).sort("device", "psu")
        self.psus = psus.partition_by("device", as_dict=True)
        self.circuits = design.circuits.filter(in_racks).partition_by("rack", as_dict=True, maintain_order=True)
        self.plant = design.power.filter(in_racks).partition_by("rack", "kind", as_dict=True, maintain_order=True)
        switches = list(devices.filter(pl.col("kind") == "switch")["device"])
        ports = (
            design.ports.filter(pl.col("device").is_in(switches))
            .sort("device", "number")
            .group_by("device", maintain_order=True)
            .agg(pl.when(pl.col("cable").is_null()).then(pl.lit("0")).otherwise(pl.lit("1")).str.join("").alias("used"))
        )
        shelves = design.power.filter(in_racks & (pl.col("kind") == "shelf")).select("element", "rack", "sku", "unit")
        self.shelves = (
            design.psus.join(shelves, left_on="device", right_on="element", maintain_order="left")
            .group_by("rack", "device", "sku", "unit", maintain_order=True)
            .agg(pl.col("circuit", "feed").unique(maintain_order=True), pl.col("watts").sum())
            .partition_by("rack", as_dict=True, maintain_order=True)
        )
        self.plant_parts = design.plant_parts
        self.ports = dict(zip(ports["device"], ports["used"], strict=True))
        plugged = design.ports.filter(pl.col("device").is_in(names) & pl.col("cable").is_not_null())
        counted = plugged.group_by("device", "fabric", maintain_order=True).len()
        self.cables: dict[str, dict[str, int]] = {}
        for device, fabric, number in counted.iter_rows():
            self.cables.setdefault(device, {})[fabric or "no fabric"] = number

    def plant_skus(self, rack: str, kind: str) -> list[str]:
        """SKUs of the plant of `kind` in `rack`."""
        rows = self.plant.get((rack, kind))
        return [] if rows is None else [sku or "" for sku in rows["sku"]]


def _rack_face(design: Design, row: dict[str, Any], inside: _Inside, alike: list[str]) -> Face:
    rack, feeds = row["rack"], plant.feeds(design)
    devices = inside.devices.get((rack,))
    slots = (
        []
        if devices is None
        else [_slot(design, device, rack, inside, feeds) for device in devices.iter_rows(named=True)]
    )
    part = design.rack_parts.get(row["sku"])
    liquid = design.site.facility.liquid
    return Face(
        rack=rack,
        place=f"{row['hall']} · row {row['row']} · position {row['position']}",
        sku=row["sku"],
        rack_units=row["rack_units"],
        kw=row["peak_watts"] / 1000,
        liquid_kw=row["liquid_watts"] / 1000,
        kg=row["weight_kg"],
        limit_kg=row["limit_kg"],
        slots=[slot for slot in slots if slot.rack_units > 0],
        strips=_strips(inside, rack, feeds),
        pdu=next(iter(inside.plant_skus(rack, "pdu")), ""),
        shelves=_shelves(inside, rack, feeds),
        busbar_amps=(part.busbar_amps or 0) if part else 0,
        leak_detector=bool(liquid and liquid.leak_detection in {"rack", "rack-and-row"} and row["liquid_watts"] > 0),
        alike=alike,
    )


def _slot(design: Design, device: dict[str, Any], rack: str, inside: _Inside, feeds: list[str]) -> FaceSlot:
    part = design.servers.get(device["sku"]) or design.switches.get(device["sku"])
    psus = inside.psus.get((device["device"],))
    return FaceSlot(
        device=device["device"],
        kind=device["kind"],
        role=device["role"] or "",
        sku=device["sku"],
        unit=device["unit"],
        rack_units=device["rack_units"],
        kw=device["peak_watts"] / 1000,
        kg=device["weight_kg"],
        airflow=part.airflow if part else "none",
        liquid=bool(part and part.liquid),
        circuits=[] if psus is None else [_short_name(name, rack) for name in psus["circuit"]],
        phases=[] if psus is None else [_phase(row) for row in psus.iter_rows(named=True)],
        feeds=[] if psus is None else [_place(feed, feeds) for feed in psus["feed"]],
        cables=inside.cables.get(device["device"], {}),
        ports=inside.ports.get(device["device"], ""),
    )


def _shelves(inside: _Inside, rack: str, feeds: list[str]) -> list[Shelf]:
    rows = inside.shelves.get((rack,))
    if rows is None:
        return []
    high = {sku: part.rack_units for sku, part in inside.plant_parts.items() if isinstance(part, PowerShelf)}
    return [
        Shelf(
            name=_short_name(row["device"], rack),
            unit=row["unit"],
            rack_units=high[row["sku"]],
            circuits=[_short_name(name, rack) for name in row["circuit"]],
            feeds=[_place(feed, feeds) for feed in row["feed"]],
            kw=row["watts"] / 1000,
        )
        for row in rows.iter_rows(named=True)
    ]


def _strips(inside: _Inside, rack: str, feeds: list[str]) -> list[FaceStrip]:
    rows = inside.circuits.get((rack,))
    if rows is None:
        return []
    return [
        FaceStrip(
            circuit=_short_name(row["circuit"], rack),
            feed=_place(row["feed"], feeds),
            load_kw=row["load_watts"] / 1000,
            usable_kw=row["usable_watts"] / 1000,
        )
        for row in rows.iter_rows(named=True)
    ]


def _phase(psu: dict[str, Any]) -> str:
    """``L1``, ``L1, outlet 7``; empty where the design assigns no phase."""
    return ", ".join(
        words for words in (psu["phase"] or "", f"outlet {psu['outlet']}" if psu["outlet"] else "") if words
    )


def _short_name(name: str | None, rack: str) -> str:
    """Name of a circuit within its rack: ``A1`` for ``train-r01-A1``."""
    return (name or "").removeprefix(f"{rack}-")


def _place(feed: str, feeds: list[str]) -> int:
    return feeds.index(feed) if feed in feeds else 0
