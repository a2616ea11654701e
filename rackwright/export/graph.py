"""The whole cabling as one graph in JSON: nodes with tier and place, links with ports, rate and length.

Nodes of pools carry the groups that Slurm and Kubernetes get.
"""

from __future__ import annotations

import json

import polars as pl

from rackwright.export import export_request
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile, Json
from rackwright.export.links import links
from rackwright.locality import groups
from rackwright.locality.tiers import devices
from rackwright.model.design import Design


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """``graph.json``, of one fabric or of all."""
    export_request.fabrics(design, request)
    cables = links(design, request.fabric or None)
    nodes = _nodes(design)
    if request.fabric:
        ends = pl.concat([cables["a_device"], cables["b_device"]]).unique()
        nodes = nodes.filter(pl.col("id").is_in(ends.implode()))
    about = {"site": design.site.site, "region": design.site.region, "levels": list(groups.NAMES)}
    head = f'{{"directed": false, "multigraph": true, "graph": {json.dumps(about)},\n"nodes": '
    parts = (head, Json(nodes), ',\n"links": ', Json(_links(cables)), "}\n")
    return [ExportFile("graph.json", parts, nodes.height + cables.height)]


def _nodes(design: Design) -> pl.DataFrame:
    places_of_nodes = groups.locality(design, [pool.name for pool in design.site.pools], groups.default_fabrics(design))
    places = design.racks.select("rack", "hall", "row", "position")
    frame = devices(design).select("device", "tier", "fabric", "sku", "role", "rack", "pool")
    frame = frame.join(design.devices.select("device", "unit", "rack_units"), on="device", maintain_order="left")
    frame = frame.join(places, on="rack", how="left", maintain_order="left")
    node_places = places_of_nodes.nodes.select("node", *groups.NAMES, "domain")
    frame = frame.join(node_places, left_on="device", right_on="node", how="left", maintain_order="left")
    return frame.rename({"device": "id", **{name: f"{name}_group" for name in groups.NAMES}})


def _links(cables: pl.DataFrame) -> pl.DataFrame:
    return cables.select(
        pl.col("a_device").alias("source"),
        pl.col("b_device").alias("target"),
        pl.col("cable").alias("key"),
        "fabric",
        "kind",
        pl.col("a_port").alias("source_port"),
        pl.col("a_number").alias("source_number"),
        pl.col("b_port").alias("target_port"),
        pl.col("b_number").alias("target_number"),
        "gbps",
        "rail",
        "plane",
        "routed_meters",
        "length_meters",
        "sku",
    )
