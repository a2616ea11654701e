"""Designs for drawings, built table by table: halls of any size and fabrics of any shape."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import polars as pl

from rackwright.model.design import Design
from rackwright.model.schemas import SCHEMAS


def frame(name: str, rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=SCHEMAS[name])


def with_site(design: Design, change: dict[str, Any]) -> Design:
    """`design` with fields of its facility changed."""
    site = design.site.model_dump(mode="json")
    site["facility"] |= change
    return replace(design, site=type(design.site).model_validate_json(json.dumps(site)))


def hall(design: Design, rows: int, per_row: int, *, filled: int | None = None, liquid_share: float = 0.0) -> Design:
    """`design` with one hall of rows x per_row places, of which `filled` hold racks of 40 kW, every tenth one of 20 kW."""
    count = rows * per_row if filled is None else filled
    with_hall = with_site(design, {"halls": [{"name": "hall-1", "rows": rows, "racks_per_row": per_row}]})
    racks = []
    for at in range(count):
        watts = 20_000 if at % 10 == 9 else 40_000
        racks.append(
            {
                "rack": f"train-r{at + 1:02d}", "hall": "hall-1", "row": at // per_row + 1, "position": at % per_row + 1,
                "sku": "rack", "rack_units": 48, "kind": "compute", "weight_kg": 522.5, "peak_watts": watts,
                "liquid_watts": int(watts * liquid_share), "air_watts": watts - int(watts * liquid_share),
                "coolant_liters_per_minute": watts * liquid_share / 700, "airflow_cfm": watts / 10,
            }
        )  # fmt: skip
    circuits = [
        {
            "circuit": f"{rack['rack']}-{feed}1", "rack": rack["rack"], "feed": feed, "usable_watts": 32_777.0,
            "load_watts": rack["peak_watts"] / 2, "worst_watts": float(rack["peak_watts"]), "parent": feed,
        }
        for rack in racks
        for feed in ("A", "B")
    ]  # fmt: skip
    return replace(
        with_hall, racks=frame("racks", racks), circuits=frame("circuits", circuits), devices=frame("devices", [])
    )


def _switch(name: str, tier: str, unit: int = 0, pool: str = "") -> dict[str, Any]:
    return {
        "device": name, "kind": "switch", "role": tier, "sku": "ib", "rack": "f1", "unit": 1, "rack_units": 1, "fabric": "compute",
        "pool": pool, "scalable_unit": unit, "index": int(name.rpartition("-")[2]), "peak_watts": 1, "weight_kg": 1.0,
    }  # fmt: skip


def _node(index: int, unit: int, rack: str) -> dict[str, Any]:
    return {
        "device": f"train-{index:04d}", "kind": "server", "role": "accelerator", "sku": "box", "rack": rack, "unit": 1, "rack_units": 8,
        "fabric": "", "pool": "train", "scalable_unit": unit, "index": index, "peak_watts": 1, "weight_kg": 1.0,
    }  # fmt: skip


class Web:
    """Switches, hosts and cables of fabric ``compute``, wired by hand."""

    def __init__(self) -> None:
        self.devices: list[dict[str, Any]] = []
        self.cables: list[dict[str, Any]] = []

    def switch(self, tier: str, index: int, unit: int = 0, prefix: str = "compute") -> str:
        name = f"{prefix}-{tier}-{index:02d}"
        self.devices.append(_switch(name, tier, unit, "train" if unit else ""))
        return name

    def node(self, index: int, unit: int, rack: str = "") -> str:
        self.devices.append(_node(index, unit, rack or f"train-r{(index - 1) // 4 + 1:02d}"))
        return str(self.devices[-1]["device"])

    def join(self, kind: str, a: str, b: str, times: int = 1, gbps: int = 400, **more: int) -> None:
        for _ in range(times):
            number = len(self.cables)
            self.cables.append(
                {
                    "cable": f"c{number}", "fabric": "compute", "kind": kind, "a_device": a, "a_port": f"p{number}", "b_device": b,
                    "b_port": f"q{number}", "gbps": gbps, "length_meters": 5.0, "sku": "cable", **more,
                }
            )  # fmt: skip

    def on(self, design: Design) -> Design:
        devices = frame("devices", self.devices)
        return replace(design, devices=devices, cables=frame("cables", self.cables), ports=frame("ports", []))


def clos(units: int, nodes: int, leaves: int, spines: int, *, planes: int = 1) -> Web:
    """Rail-optimised: every unit has `leaves` leaves per plane, every node a port on each of them."""
    web = Web()
    for plane in range(planes):
        prefix = f"compute-p{plane + 1}" if planes > 1 else "compute"
        tops = [web.switch("spine", index + 1, prefix=prefix) for index in range(spines)]
        for unit in range(1, units + 1):
            mine = [web.switch("leaf", (unit - 1) * leaves + index + 1, unit, prefix) for index in range(leaves)]
            for leaf in mine:
                for top in tops:
                    web.join("leaf_spine", leaf, top, 2, plane=plane)
                for node in range(nodes):
                    index = (unit - 1) * nodes + node + 1
                    web.join("node_leaf", f"train-{index:04d}", leaf, plane=plane)
    for index in range(1, units * nodes + 1):
        web.node(index, (index - 1) // nodes + 1)
    return web


def pods(count: int, leaves: int, spines: int, cores: int) -> Web:
    """Three tiers: `count` pods of one unit each."""
    web = Web()
    tops = [web.switch("core", index + 1) for index in range(cores)]
    for pod in range(count):
        up = [web.switch("spine", pod * spines + index + 1) for index in range(spines)]
        for index in range(leaves):
            leaf = web.switch("leaf", pod * leaves + index + 1, pod + 1)
            for spine in up:
                web.join("leaf_spine", leaf, spine, 4)
            web.join("node_leaf", f"train-{pod + 1:04d}", leaf)
        for spine in up:
            for core in tops:
                web.join("spine_core", spine, core)
        web.node(pod + 1, pod + 1)
    return web


def mesh(leaves: int) -> Web:
    """Every leaf joined to every other, two nodes on each."""
    web = Web()
    names = [web.switch("leaf", index + 1, index + 1) for index in range(leaves)]
    for at, a in enumerate(names):
        for b in names[at + 1 :]:
            web.join("isl", a, b, 3)
        for node in (2 * at + 1, 2 * at + 2):
            web.join("node_leaf", web.node(node, at + 1), a)
    return web


def dragonfly(groups: int, routers: int) -> Web:
    """Groups of routers, all joined inside, one cable between every two groups."""
    web = Web()
    inside = [[web.switch("leaf", g * routers + r + 1, g + 1) for r in range(routers)] for g in range(groups)]
    for g, mine in enumerate(inside):
        for at, a in enumerate(mine):
            for b in mine[at + 1 :]:
                web.join("isl", a, b)
        web.join("node_leaf", web.node(g + 1, g + 1), mine[0])
        for peer in range(g + 1, groups):
            web.join("global", mine[peer % routers], inside[peer][g % routers])
    return web


def nvlink(racks: int) -> Web:
    """NVLink domains: in every rack 18 trays on 9 NVSwitch trays."""
    web = Web()
    for rack in range(racks):
        switches = [web.switch("nvswitch", rack * 9 + index + 1, rack + 1) for index in range(9)]
        for tray in range(18):
            node = web.node(rack * 18 + tray + 1, rack + 1, f"train-r{rack + 1:02d}")
            for switch in switches:
                web.join("nvlink", node, switch, 8)
    return web
