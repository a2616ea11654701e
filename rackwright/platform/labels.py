"""The labels of every node that describe its place for Kubernetes schedulers.

Label keys are data (``labels.yaml``), because topograph has renamed its own twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from rackwright.base import yaml_text
from rackwright.base.errors import UsageError
from rackwright.locality import groups
from rackwright.locality.groups import Locality
from rackwright.locality.places import NUMBER, inside
from rackwright.model.capacity import parts
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric
from rackwright.model.tenancy import PlacementDomain

COLUMNS: Mapping[PlacementDomain, str] = {
    "nvlink-domain": "domain",
    "rack": "rack",
    "rail-group": "leaf",
    "scalable-unit": "unit",
    "hall": "zone",
}
"""Placement domain -> column; a node and a fabric are derived differently."""


@dataclass(frozen=True)
class NodeLabels:
    """Labels of nodes.

    `nodes`: ``node``, ``pool`` and a column for each value of `keys`; null for a node without that label. In design
    order.
    """

    nodes: pl.DataFrame
    keys: Mapping[str, str]
    """Label key -> column, from the coarsest to the finest, followed by our own keys."""
    shared: bool
    """Whether the site has tenants or classes, whose queues need our own labels."""

    def key(self, column: str) -> str:
        """The label key of a column."""
        return next(key for key, name in self.keys.items() if name == column)

    def levels(self) -> list[str]:
        """Label keys that define the levels of a topology of all nodes, the host last."""
        outside = ("region", *own_keys())
        return [*(key for key, column in self.keys.items() if column not in outside), keys()["hostname"]]


def label(design: Design, pools: Sequence[str], fabrics: Sequence[Fabric], scheme_name: str = "") -> NodeLabels:
    """Labels of the Kubernetes nodes of `pools`, grouped by `fabrics`. Raises `UsageError` for an unknown scheme."""
    places = groups.locality(design, pools, fabrics, "kubernetes")
    chosen, shared = scheme(scheme_name), bool(design.site.tenants or design.site.classes)
    nodes = places.nodes.with_columns(
        pl.lit(design.site.region).alias("region"), pl.concat_str(pl.lit(f"{design.site.site}-"), "hall").alias("zone")
    )
    labels = _keys(places, chosen)
    if shared:
        nodes = _with_own(nodes, design)
        labels |= {key: column for column, key in own_keys().items() if nodes[column].is_not_null().any()}
    return NodeLabels(nodes, labels, shared)


@cache
def keys() -> Mapping[str, Any]:
    """The label keys, from ``labels.yaml``."""
    return dict(yaml_text.load((Path(__file__).parent / "labels.yaml").read_text(encoding="utf-8")))


def own_keys() -> Mapping[str, str]:
    """Column -> label key, for our own labels."""
    return dict(keys()["own"])


def columns() -> dict[str, str]:
    """Label key -> column of the places of nodes, for the keys of every scheme."""
    result = {keys()["zone"]: "hall", own_keys()["rack"]: "rack", **keys()["observed"]}
    for entry in keys()["schemes"].values():
        result |= dict(zip(entry["fabric"], groups.NAMES, strict=True)) | {entry["accelerator"]: "domain"}
    return result


def scheme(name: str) -> Mapping[str, Any]:
    """The scheme of labels called `name`; the default one if empty."""
    schemes = keys()["schemes"]
    chosen = name or keys()["default"]
    if chosen not in schemes:
        raise UsageError(f"--labels {name}: no such scheme of labels; give one of {', '.join(schemes)}")
    return dict(schemes[chosen])


def _keys(places: Locality, chosen: Mapping[str, Any]) -> dict[str, str]:
    """Label key -> column, from the coarsest to the finest."""
    tiers = dict(zip(groups.NAMES, chosen["fabric"], strict=True))
    labels = {keys()["region"]: "region", keys()["zone"]: "zone"}
    labels |= {tiers[level]: level for level in reversed(places.levels)}
    return labels | ({chosen["accelerator"]: "domain"} if places.has_domains else {})


def _with_own(nodes: pl.DataFrame, design: Design) -> pl.DataFrame:
    """`nodes` with the columns ``part`` and ``unit``; the column for racks exists already."""
    numbers = design.node_table.select("node", "scheduler", NUMBER, "scalable_unit")
    nodes = nodes.join(numbers, on="node", how="left", maintain_order="left")
    part = pl.lit(None, pl.String)
    for entry in parts(design.site, design.servers, design.accelerators):
        part = pl.when(inside(entry)).then(pl.lit(entry.name)).otherwise(part)
    unit = pl.concat_str("pool", pl.lit("-su"), "scalable_unit")
    return nodes.with_columns(part.alias("part"), unit.alias("unit")).drop("scheduler", "number", "scalable_unit")
