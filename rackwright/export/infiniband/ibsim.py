"""Net files for ibsim: every switch and adapter of a subnet, each link at both ends, the host of the subnet manager first.

Node GUIDs are written where they are known; ibsim counts its own otherwise. Records
as ibsim reads them (ibsim, sim_net.c): ``Switch 64 "name" # "description"``, then ``[port] "name"[port] options``.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rackwright.export import export_request
from rackwright.export.export_request import UNKNOWN, ExportRequest, Guids
from rackwright.export.file import ExportFile
from rackwright.export.infiniband import rates
from rackwright.export.infiniband.subnets import SubnetPlan, subnets
from rackwright.model.design import Design

SPARE_NODES, SPARE_PORTS = 8, 64
"""Room beyond what the file holds; ibsim counts an inner port per switch and a little for itself."""


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """One net file per subnet of the InfiniBand fabrics."""
    fabrics = export_request.infiniband(design, request)
    subnets_ = [subnet for fabric in fabrics for subnet in subnets(design, fabric.name)]
    return [
        ExportFile(f"{subnet.name}.net", tuple(_parts(subnet, request.guids)), subnet.links.height)
        for subnet in subnets_
    ]


def arguments(subnet: SubnetPlan) -> list[str]:
    """Options of ibsim that give the net file room: nodes (-N), switches (-S), ports (-P)."""
    switches, nodes = subnet.switches.height, subnet.switches.height + subnet.adapters.height
    ports = int(subnet.switches["count"].sum()) + switches + 2 * subnet.adapters.height
    return ["-N", str(nodes + SPARE_NODES), "-S", str(switches + SPARE_NODES), "-P", str(ports + SPARE_PORTS)]


def _parts(subnet: SubnetPlan, guids: Guids) -> Iterator[str]:
    speeds = {gbps: rates.ibsim(gbps) for gbps in subnet.links["gbps"].unique().sort()}
    yield f"# Subnet {subnet.name}, written by rackwright export. Change the site, not this file.\n"
    yield f"# ibsim -s -n {' '.join(arguments(subnet))} {subnet.name}.net\n"
    for gbps in (gbps for gbps, options in speeds.items() if not options):
        yield f"# links of {gbps} Gb/s stand here without a rate: ibsim has none so high\n"
    yield "\n"
    ends = _ends(subnet.links, speeds)
    yield from _records(subnet.adapters.select("id", "name", "device", "port"), ends, _adapter(subnet, guids))
    switches = subnet.switches.select(id="device", name="device", device="device", port=pl.lit(""))
    yield from _records(switches, ends, _switch(subnet, guids))


def _ends(links: pl.DataFrame, speeds: dict[int, str]) -> pl.DataFrame:
    """Lines of every node, joined: one per link end, in port order."""
    options = pl.col("gbps").replace_strict(speeds, return_dtype=pl.String)
    frames = [
        links.select(
            pl.col(f"{near}_id").alias("id"),
            pl.col(f"{near}_at").alias("at"),
            pl.concat_str(
                pl.lit("["), f"{near}_at", pl.lit(']\t"'), f"{far}_id", pl.lit('"['), f"{far}_at", pl.lit("] "), options,
            ).str.strip_chars_end(" ").alias("line"),
        )
        for near, far in (("a", "b"), ("b", "a"))
    ]  # fmt: skip
    lines = pl.concat(frames).sort("id", "at").group_by("id", maintain_order=True)
    return lines.agg(pl.col("line").str.join("\n").alias("lines"))


def _records(nodes: pl.DataFrame, ends: pl.DataFrame, head: pl.DataFrame) -> Iterator[str]:
    frame = nodes.join(head, on="id", maintain_order="left").join(ends, on="id", how="left", maintain_order="left")
    lines = pl.when(pl.col("lines").is_null()).then(pl.lit("")).otherwise(pl.concat_str("lines", pl.lit("\n")))
    text = frame.select(
        pl.concat_str("head", pl.lit(' "'), "id", pl.lit('"\t# "'), "name", pl.lit('"\n'), lines, pl.lit("\n"))
    )
    yield from text.to_series()


def _adapter(subnet: SubnetPlan, guids: Guids) -> pl.DataFrame:
    keys = zip(subnet.adapters["device"], subnet.adapters["port"], strict=True)
    node_guids = [guids.get(key, UNKNOWN).node for key in keys]
    lines = [f"caguid={guid}\nHca\t1" if guid else "Hca\t1" for guid in node_guids]
    return pl.DataFrame({"id": subnet.adapters["id"], "head": pl.Series(lines, dtype=pl.String)})


def _switch(subnet: SubnetPlan, guids: Guids) -> pl.DataFrame:
    rows = zip(subnet.switches["device"], subnet.switches["count"], strict=True)
    counted = [(guids.get((name, ""), UNKNOWN).node, count) for name, count in rows]
    lines = [f"switchguid={guid}\nSwitch\t{count}" if guid else f"Switch\t{count}" for guid, count in counted]
    return pl.DataFrame({"id": subnet.switches["device"], "head": pl.Series(lines, dtype=pl.String)})
