"""The planned output of a live `ibnetdiscover`: the planned links, and a name map that fills as GUIDs become known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from rackwright.export import export_request
from rackwright.export.export_request import UNKNOWN, ExportRequest, Guids
from rackwright.export.file import ExportFile, table
from rackwright.export.infiniband import partitions, rates
from rackwright.export.infiniband.subnets import SubnetPlan, subnets
from rackwright.model.design import Design

COLUMNS = ("switch", "port", "peer", "peer_port", "speed")
"""A link as a switch sees it. A link between switches stands once, at the switch nearer to the nodes."""


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """The plan of every InfiniBand fabric."""
    fabrics = export_request.infiniband(design, request)
    by_fabric = [(fabric.name, subnets(design, fabric.name)) for fabric in fabrics]
    all_of_them = [subnet for _, some in by_fabric for subnet in some]
    files = [file for subnet in all_of_them for file in (_links(subnet), node_names(subnet, request.guids))]
    files += partitions.files(design, by_fabric, request.guids)
    return [*files, _guids(all_of_them, request.guids)]


def planned_links(design: Design, request: ExportRequest) -> pl.DataFrame:
    """The planned links of all InfiniBand fabrics that `request` selects, for comparison with a live fabric."""
    fabrics = export_request.infiniband(design, request)
    return pl.concat([planned(subnet) for fabric in fabrics for subnet in subnets(design, fabric.name)])


def planned(subnet: SubnetPlan) -> pl.DataFrame:
    """The links of a subnet with the columns of `COLUMNS`, in the order of switches and ports."""
    host = pl.col("a_tier") == "host"
    pairs = subnet.links.select("gbps", "port_gbps").unique()
    speeds = [rates.speed(gbps, port) for gbps, port in pairs.iter_rows()]
    frame = subnet.links.join(pairs.with_columns(pl.Series("speed", speeds, dtype=pl.String)), on=["gbps", "port_gbps"])
    near = {"switch": "b", "port": "b", "peer": "a", "peer_port": "a"}
    swapped = {"switch": "a", "port": "a", "peer": "b", "peer_port": "b"}
    what = {"switch": "name", "port": "at", "peer": "name", "peer_port": "at"}
    columns = [
        pl.when(host).then(f"{near[name]}_{what[name]}").otherwise(f"{swapped[name]}_{what[name]}").alias(name)
        for name in what
    ]
    return frame.select(*columns, "speed").sort("switch", "port")


def _links(subnet: SubnetPlan) -> ExportFile:
    return table(f"{subnet.name}.links", planned(subnet))


def node_names(subnet: SubnetPlan, guids: Guids) -> ExportFile:
    """``0x<guid> "name"`` as ``ibnetdiscover --node-name-map`` reads it; a line without a GUID is a comment until it has one."""
    lines = list(_entries(_nodes(subnet), guids))
    head = (
        f"# Node names of subnet {subnet.name} for ibnetdiscover --node-name-map and opensm.\n"
        "# A line that begins with # has no GUID yet: put its node GUID (0x and 16 digits) there instead, or fill guids.csv and export again.\n"
    )
    return ExportFile(f"{subnet.name}.node-name-map", (head, *lines), len(lines))


def _entries(nodes: pl.DataFrame, guids: Guids) -> Iterator[str]:
    for device, port, name in nodes.iter_rows():
        guid = guids.get((device, port), UNKNOWN).node
        yield f'{guid} "{name}"\n' if guid else f'# "{name}"\n'


def _nodes(subnet: SubnetPlan) -> pl.DataFrame:
    switches = subnet.switches.select("device", pl.lit("").alias("port"), pl.col("device").alias("name"))
    return pl.concat([switches, subnet.adapters.select("device", "port", "name")])


def _guids(subnets_: Sequence[SubnetPlan], guids: Guids) -> ExportFile:
    """Every switch and host port, with its GUIDs where they are known."""
    nodes = pl.concat([_nodes(subnet) for subnet in subnets_]).select("device", "port").unique(maintain_order=True)
    guids_ = [guids.get(key, UNKNOWN) for key in nodes.iter_rows()]
    rows = {"node_guid": [guid.node or None for guid in guids_], "port_guid": [guid.port or None for guid in guids_]}
    nodes = nodes.with_columns(pl.col("port").replace("", None))
    return table("guids.csv", nodes.hstack(pl.DataFrame(rows, schema=dict.fromkeys(rows, pl.String))))
