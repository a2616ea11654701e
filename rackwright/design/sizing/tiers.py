"""The shared storage tier: rates of the published guideline for the number of scalable units, and servers that deliver them.

Published units have 32 nodes; the rates follow the number of nodes.
"""

from __future__ import annotations

import math
from typing import Any

from rackwright.catalog import Catalog, fabric_presets, sizing_practice
from rackwright.design.sizing.facts import Facts
from rackwright.design.sizing.knobs import Knobs
from rackwright.design.sizing.request import Frame
from rackwright.design.storage.guideline import DEFAULT, guideline, node_guideline, published
from rackwright.model.site import Pool
from rackwright.model.sku import StoragePromise

LEVELS = {"good": ("good", "standard"), "better": ("better", "standard"), "best": ("best", "enhanced")}
"""The requested level, by the names in the reference design of DGX systems and in that of NVL72 racks."""


def rates(frame: Frame) -> tuple[int, int]:
    """GB/s of reading and writing: those of the units, but no more than the guideline of a node allows its nodes."""
    design = published(frame.server.sku)
    units = math.ceil(frame.nodes / _published_unit(design))
    published_unit, usual = LEVELS[frame.ask.storage][design != DEFAULT], LEVELS[frame.ask.storage][0]
    unit, node = guideline(units, published_unit, design), node_guideline(usual)
    read = min(unit.read_gbytes_per_s, node.read_gbytes_per_s * frame.nodes)
    write = min(unit.write_gbytes_per_s, node.write_gbytes_per_s * frame.nodes)
    return round(read), round(write)


def _published_unit(design: str) -> int:
    """Nodes of a scalable unit of the guideline: 32 systems (that of the site schema), or the trays of eight NVL72 racks."""
    units = (preset.scalable_unit for preset in fabric_presets.load().presets if design in preset.servers)
    return next((unit for unit in units if unit), Pool.model_fields["scalable_unit"].default)


def capacity_pbytes(frame: Frame) -> float:
    """Capacity of the tier in PB."""
    return max(0.1, round(frame.nodes * sizing_practice.load().storage_pbytes_per_node, 1))


def servers(frame: Frame, catalog: Catalog) -> int:
    """Storage servers that deliver rates and capacity; 0 where the network has none of its own."""
    network = frame.networks.get("storage")
    part = catalog.servers[network.storage_server] if network and network.storage_server else None
    if part is None or part.storage is None:
        return 0
    return _count(part.storage, *rates(frame), capacity_pbytes(frame))


def _count(promise: StoragePromise, read: int, write: int, room: float) -> int:
    shares = (read / promise.read_gbytes_per_s, write / promise.write_gbytes_per_s, room / promise.capacity_pbytes)
    return math.ceil(max(shares))


def tier(frame: Frame, knobs: Knobs, facts: Facts) -> dict[str, Any]:
    """The tier ``scratch``."""
    read, write = rates(frame)
    data: dict[str, Any] = {"name": "scratch", "tier": "parallel"}
    data |= {"read_gbytes_per_s": read, "write_gbytes_per_s": write, "capacity_pbytes": capacity_pbytes(frame)}
    network = frame.networks.get("storage")
    if network and network.storage_server and knobs.storage_servers and facts.storage_servers:
        data["servers"] = {"server": network.storage_server, "count": facts.storage_servers}
    return data
