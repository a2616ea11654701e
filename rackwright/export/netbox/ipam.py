"""Addresses: VLANs, VXLANs, prefixes and addresses.

VLANs of a fabric are a group of their own, since two fabrics may use the same number. A node's
in-band address is its primary one and its BMC's the out-of-band one; a switch's primary address is on its management port.
"""

from __future__ import annotations

import polars as pl

from rackwright.export.netbox.netbox_data import status
from rackwright.model.design import Design

LOOPBACK = "lo"
IPV4 = 4


def vlan_groups(design: Design) -> pl.DataFrame:
    """One per fabric with VLANs."""
    fabrics = design.networks.drop_nulls("vlan").select("fabric").unique(maintain_order=True)
    return fabrics.select(
        _group(design).alias("name"),
        _group(design).alias("slug"),
        pl.lit("dcim.site").alias("scope_type"),
        pl.lit(design.site.site).alias("scope_name"),
    )


def vlans(design: Design) -> pl.DataFrame:
    """One per network with a VLAN."""
    return design.networks.drop_nulls("vlan").select(
        _group(design).alias("group"),
        pl.col("vlan").alias("vid"),
        _full_name(design).alias("name"),
        pl.lit(status("vlan")).alias("status"),
    )


def l2vpns(design: Design) -> pl.DataFrame:
    """One per network with a VNI."""
    return design.networks.drop_nulls("vni").select(
        pl.col("vni").alias("identifier"),
        _full_name(design).alias("name"),
        _full_name(design).alias("slug"),
        pl.lit("vxlan-evpn").alias("type"),
        pl.lit(status("l2vpn")).alias("status"),
    )


def l2vpn_terminations(design: Design) -> pl.DataFrame:
    """The VLAN of every network that has a VNI too."""
    both = design.networks.drop_nulls("vni").drop_nulls("vlan")
    return both.select(_full_name(design).alias("l2vpn"), _full_name(design).alias("vlan"))


def prefixes(design: Design) -> pl.DataFrame:
    """Every subnet, IPv4 before IPv6."""
    frames = [
        design.networks.drop_nulls(column).select(
            pl.col(column).alias("prefix"),
            pl.when(pl.col("vlan").is_not_null()).then(_group(design)).alias("vlan_group"),
            "vlan",
            pl.lit(status("prefix")).alias("status"),
            pl.lit("dcim.site").alias("scope_type"),
            pl.lit(design.site.site).alias("scope_name"),
            pl.col("network").alias("description"),
        )
        for column in ("subnet", "subnet6")
    ]
    return pl.concat(frames)


def addresses(design: Design) -> pl.DataFrame:
    """Every address with its interface."""
    roles = {fabric.name: fabric.role for fabric in design.site.fabrics}
    fabric = dict(design.networks.select("network", "fabric").iter_rows())
    of = {network: roles.get(name, "") for network, name in fabric.items()}
    kinds = design.devices.select("device", "kind")
    frame = listed(design).join(kinds, on="device", how="left", maintain_order="left")
    frame = frame.with_columns(pl.col("kind").fill_null("pdu"))
    role = pl.col("network").replace_strict(of, default="", return_dtype=pl.String)
    server, switch = pl.col("kind") == "server", pl.col("kind").is_in(["switch", "pdu"])
    loopback = pl.col("interface") == LOOPBACK
    once = pl.int_range(pl.len()).over("device", "network", "family") == 0
    return frame.select(
        pl.concat_str("address", pl.lit("/"), "prefix").alias("address"),
        pl.lit(status("address")).alias("status"),
        pl.when(loopback).then(pl.lit("loopback")).alias("role"),
        "device",
        "interface",
        (once & ~loopback & ((server & (role == "inband")) | (switch & (role == "bmc")))).alias("is_primary"),
        (once & server & (role == "bmc") & (pl.col("family") == IPV4)).alias("is_oob"),
        pl.col("network").alias("description"),
    )


def listed(design: Design) -> pl.DataFrame:
    """Addresses of devices in the import: machines, switches and rack PDUs; CDUs stand in no rack and are left out."""
    cdus = design.cooling.select(pl.col("unit").alias("device"))
    return design.addresses.join(cdus, on="device", how="anti", maintain_order="left")


def _group(design: Design) -> pl.Expr:
    return pl.concat_str(pl.lit(f"{design.site.site}-"), "fabric")


def _full_name(design: Design) -> pl.Expr:
    return pl.concat_str(pl.lit(f"{design.site.site}-"), "network")
