"""Which interfaces a device type brings, and which must be made one by one.

A port is on the type when every device of its SKU has it with the same type; ports that
differ between devices of one SKU (split ones), bonds, loopbacks and virtual ones are made one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from rackwright.export.netbox import ipam
from rackwright.export.netbox.netbox_data import interface_type, words
from rackwright.model.design import Design
from rackwright.model.sku import Server, Switch

BOND = "bond"
"""Beginning of the names of interfaces that join others."""


@dataclass(frozen=True)
class Interfaces:
    """`types`: ``sku``, ``name``, ``type``, ``mgmt_only``. `single`: ``device`` and the same, with ``speed`` in kb/s."""

    types: pl.DataFrame
    single: pl.DataFrame


def interfaces(design: Design) -> Interfaces:
    """All interfaces of the design."""
    skus = design.devices.select("device", "sku")
    ports = design.ports.join(skus, on="device", maintain_order="left").with_row_index("order")
    ports = ports.join(
        _kinds(design, ports), on=["sku", "port", "fabric", "gbps"], nulls_equal=True, maintain_order="left"
    )
    count = skus.group_by("sku").agg(pl.len().alias("devices"))
    alike = ports.group_by("sku", "port", "type", "mgmt_only", maintain_order=True).agg(pl.len().alias("have"))
    alike = alike.join(count, on="sku", maintain_order="left").filter(pl.col("have") == pl.col("devices"))
    alike = alike.select("sku", "port", "type", "mgmt_only")
    single = ports.join(alike, on=["sku", "port", "type", "mgmt_only"], how="anti", maintain_order="left")
    of_single = single.select(
        "device", pl.col("port").alias("name"), "type", (pl.col("gbps") * 1_000_000).alias("speed"), "mgmt_only"
    )
    joined = pl.concat([of_single, _unwired_interfaces(design)], how="diagonal_relaxed")
    return Interfaces(alike.rename({"port": "name"}), joined)


def _kinds(design: Design, ports: pl.DataFrame) -> pl.DataFrame:
    """Interface type of every different port: by SKU, name, fabric and rate."""
    transports = {fabric.name: fabric.transport for fabric in design.site.fabrics}
    different = ports.select("sku", "port", "fabric", "gbps").unique(maintain_order=True)
    parts: dict[str, Server | Switch] = {**design.servers, **design.switches}
    rows = []
    for sku, port, fabric, gbps in different.iter_rows():
        part = parts[sku]
        management = _management(part, port)
        transport = "ethernet" if management else transports.get(fabric or "", "")
        rows.append((interface_type(transport, gbps, *_cage(part, port, gbps, management)), management))
    kinds = pl.DataFrame(rows, schema={"type": pl.String, "mgmt_only": pl.Boolean}, orient="row")
    return different.hstack(kinds)


def _management(part: Server | Switch, port: str) -> bool:
    if isinstance(part, Switch):
        return bool(part.management_port) and port == part.management_port
    return any(port in group.names for group in part.ports if group.role == "bmc")


def _cage(part: Server | Switch, port: str, gbps: int, management: bool) -> tuple[int, str]:
    """Rate of a whole port of this kind, and its cage; an adapter's cage is not known."""
    if management:
        return gbps, ""
    if isinstance(part, Server):
        cage = port.partition(".")[0]
        return next((group.gbps for group in part.ports if port in group.names or cage in group.names), gbps), ""
    group = part.uplinks if part.uplinks and gbps == part.uplinks.gbps and gbps > part.ports.gbps else part.ports
    return group.gbps, group.form


def _unwired_interfaces(design: Design) -> pl.DataFrame:
    """Interfaces with addresses that are no port: bonds, loopbacks, virtual ones of switches, and those of rack PDUs."""
    wired = design.ports.select("device", pl.col("port").alias("interface"))
    addressed = ipam.listed(design).select("device", "interface").unique(maintain_order=True)
    addressed = addressed.join(wired, on=["device", "interface"], how="anti", maintain_order="left")
    bond, pdu = pl.col("interface").str.starts_with(BOND), ~pl.col("device").is_in(design.devices["device"].implode())
    found_kind = pl.when(bond).then(pl.lit(words()["bond"])).when(pdu).then(pl.lit(words()["interface_otherwise"]))
    kind = found_kind.otherwise(pl.lit(words()["virtual"]))
    return addressed.select("device", pl.col("interface").alias("name"), kind.alias("type"), pdu.alias("mgmt_only"))
