"""Designs that hold nothing but powered racks: power does not care for fabrics, so its tests need none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.design import rules
from rackwright.design.placement import HallPlace, PlacedDevice, SiteLayout
from rackwright.design.power import frames, wire_racks
from rackwright.design.power.study import add_power
from rackwright.model.design import Design
from rackwright.model.facility import Power
from rackwright.model.schemas import SCHEMAS
from rackwright.model.site import Site
from rackwright.model.sku import Server, Switch
from rackwright.model.verdict import Finding

EXAMPLE = Path(__file__).resolve().parents[4] / "inventories" / "h100-pod" / "site.yaml"
US = {"volts": 415, "amps": 60, "phases": 3}


@dataclass(frozen=True)
class Filled:
    """Racks of one content: SKUs, bottom first; `absent` slots are kept for later."""

    skus: Sequence[str]
    racks: int = 1
    rack: str = "rack-48u-1200"
    absent: int = 0
    parts: dict[str, Server | Switch] = field(default_factory=dict)


@cache
def parts_catalog() -> catalog.Catalog:
    return catalog.load()


def power(**change: Any) -> Power:
    """Three feeds of which one may be lost."""
    return Power.model_validate({"feeds": ["A", "B", "C"], "feed_kw": 100_000, "circuit": US, **change})


def layout(filled: Sequence[Filled], per_row: int = 10) -> SiteLayout:
    places: dict[str, HallPlace] = {}
    devices: list[PlacedDevice] = []
    for content in filled:
        for _ in range(content.racks):
            at = len(places)
            name = f"r{at + 1:02d}"
            places[name] = HallPlace("hall-1", at // per_row + 1, at % per_row + 1, parts_catalog().racks[content.rack])
            for slot, sku in enumerate(content.skus):
                part = content.parts.get(sku) or parts_catalog().servers.get(sku) or parts_catalog().switches[sku]
                kind = "server" if isinstance(part, Server) else "switch"
                present = slot < len(content.skus) - content.absent
                device = f"{name}-d{slot + 1:02d}"
                devices.append(
                    PlacedDevice(
                        len(devices), device, kind, "accelerator", part, "", "p", 1, 1, name, slot + 1, present
                    )
                )
    return SiteLayout(places, dict.fromkeys(places, "compute"), tuple(devices))


def design(filled: Sequence[Filled], power_terms: Power, per_row: int = 10) -> Design:
    """The power side of a design, finished by the step that every design goes through."""
    layout_of_racks = layout(filled, per_row)
    hookup = wire_racks(power_terms, layout_of_racks, parts_catalog())
    site = Site.model_validate(yaml_text.load(EXAMPLE.read_text()))
    facility = site.facility.model_copy(update={"power": power_terms})
    used = {device.part.sku: device.part for device in layout_of_racks.present()}
    bare = Design(
        site=site.model_copy(update={"facility": facility}),
        racks=_racks(layout_of_racks),
        devices=_devices(layout_of_racks),
        node_table=_nodes(layout_of_racks),
        ports=pl.DataFrame(schema=SCHEMAS["ports"]),
        cables=pl.DataFrame(schema=SCHEMAS["cables"]),
        addresses=pl.DataFrame(schema=SCHEMAS["addresses"]),
        circuits=frames.circuits(hookup),
        psus=frames.psus(hookup),
        totals={},
        servers={sku: part for sku, part in used.items() if isinstance(part, Server)},
        switches={sku: part for sku, part in used.items() if isinstance(part, Switch)},
        accelerators={},
        rack_parts={place.rack.sku: place.rack for place in layout_of_racks.places.values()},
    )
    return add_power(bare, parts_catalog())


def _frame(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCHEMAS[name])


def _racks(layout: SiteLayout) -> pl.DataFrame:
    rows = []
    for name in layout.racks():
        at = layout.places[name]
        watts = (
            sum(device.part.peak_watts for device in layout.present() if device.rack == name)
            if len(layout.places) < 100
            else 0
        )
        rows.append(
            {
                "rack": name,
                "hall": at.hall,
                "row": at.row,
                "position": at.position,
                "sku": at.rack.sku,
                "peak_watts": watts,
            }
        )
    return _frame("racks", rows)


def _devices(layout: SiteLayout) -> pl.DataFrame:
    return _frame("devices", [
        {"device": d.name, "kind": d.kind, "sku": d.part.sku, "rack": d.rack, "unit": d.unit, "peak_watts": d.part.peak_watts}
        for d in layout.present()
    ])  # fmt: skip


def _nodes(layout: SiteLayout) -> pl.DataFrame:
    return _frame("nodes", [
        {"node": d.name, "sku": d.part.sku, "rack": d.rack, "accelerators": d.part.accelerators}
        for d in layout.present() if isinstance(d.part, Server)
    ])  # fmt: skip


def judge_rule(design: Design, name: str) -> dict[str, Finding]:
    """What one rule finds, by target."""
    return next(dict(rule.judge(design)) for rule in rules.rules() if rule.name == name)
