"""Kubernetes' view of the fabric: labels of every node, and the levels that Kueue places jobs by.

Label keys are data (``kubernetes.yaml``), because topograph has renamed its own twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from rackwright.base import yaml_text
from rackwright.base.errors import UsageError
from rackwright.export import export_request
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.export.plain import Names, require
from rackwright.locality import groups
from rackwright.locality.groups import Locality
from rackwright.model.design import Design

VALUE = Names(
    "Kubernetes", r"[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?", 63, "letters, digits, dots, hyphens, underscores"
)
"""A label value (Kubernetes, Labels and Selectors: Syntax and character set)."""


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """``nodes.yaml`` and ``topology.yaml``. Raises `UsageError` for a scheme of labels that is not known."""
    pools = export_request.pools(design, request, "kubernetes")
    fabrics = export_request.fabrics(design, request) if request.fabric else groups.default_fabrics(design)
    places = groups.locality(design, pools, fabrics)
    labels = _labels(places, scheme(request.labels))
    nodes = places.nodes.with_columns(
        pl.lit(design.site.region).alias("region"), pl.concat_str(pl.lit(f"{design.site.site}-"), "hall").alias("zone")
    )
    require(VALUE, [nodes[column] for column in ("node", *labels.values())])
    head = (
        f"# Kubernetes topology of {design.site.site}, written by rackwright export. Change the site, not this file.\n"
    )
    return [
        ExportFile("nodes.yaml", (head, "".join(_manifests(nodes, labels))), nodes.height),
        ExportFile("topology.yaml", (head, _kueue(design.site.site, labels)), len(labels)),
    ]


@cache
def keys() -> Mapping[str, Any]:
    """The label keys, from ``kubernetes.yaml``."""
    text = (Path(__file__).parent / "kubernetes.yaml").read_text(encoding="utf-8")
    return dict(yaml_text.load(text))


def scheme(name: str) -> Mapping[str, Any]:
    """The scheme of labels called `name`, the default one when empty."""
    schemes = keys()["schemes"]
    chosen = name or keys()["default"]
    if chosen not in schemes:
        raise UsageError(f"--labels {name}: no such scheme of labels; give one of {', '.join(schemes)}")
    return dict(schemes[chosen])


def _labels(places: Locality, chosen: Mapping[str, Any]) -> dict[str, str]:
    """Label key to column, from the coarsest to the finest."""
    tiers = dict(zip(groups.NAMES, chosen["fabric"], strict=True))
    labels = {keys()["region"]: "region", keys()["zone"]: "zone"}
    labels |= {tiers[level]: level for level in reversed(places.levels)}
    return labels | ({chosen["accelerator"]: "domain"} if places.has_domains else {})


def _manifests(nodes: pl.DataFrame, labels: Mapping[str, str]) -> pl.Series:
    """One Node per node; a label that it has no value for is left out. Values are plain by `VALUE`, and quoted all the same."""
    lines = [
        pl.when(pl.col(column).is_not_null())
        .then(pl.concat_str(pl.lit(f'    {key}: "'), column, pl.lit('"\n')))
        .otherwise(pl.lit(""))
        for key, column in labels.items()
    ]
    head = pl.lit('---\napiVersion: v1\nkind: Node\nmetadata:\n  name: "')
    return nodes.select(pl.concat_str(head, "node", pl.lit('"\n  labels:\n'), *lines)).to_series()


def _kueue(site: str, labels: Mapping[str, str]) -> str:
    """The Topology: every label but the region from coarse to fine, then the host itself."""
    levels = [*(key for key, column in labels.items() if column != "region"), keys()["hostname"]]
    body = "".join(f"    - nodeLabel: {level}\n" for level in levels)
    return (
        f"apiVersion: {keys()['kueue']['version']}\nkind: Topology\nmetadata:\n  name: {site}\nspec:\n  levels:\n{body}"
    )
