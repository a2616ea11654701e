"""Devices: servers, switches, PDUs, power shelves, and what stands for sockets.

PDUs stand beside the rack units and have no position.
"""

from __future__ import annotations

import polars as pl

from rackwright.export.netbox.netbox_data import slug, status, words
from rackwright.export.netbox.supply import SOCKETS, SOCKETS_MAKER, PowerFeeds
from rackwright.export.netbox.types import models
from rackwright.model.design import Design
from rackwright.model.sku import Server, Switch

ROLES = {
    ("server", "accelerator"): "accelerator server",
    ("server", "storage"): "storage server",
    ("server", "unmanaged"): "unmanaged device",
    ("server", "slurm"): "Slurm controller",
    ("server", "kubernetes"): "Kubernetes server",
    ("server", "ufm"): "subnet manager",
    ("switch", "leaf"): "leaf switch",
    ("switch", "spine"): "spine switch",
    ("switch", "core"): "core switch",
    ("switch", "management"): "management switch",
    ("switch", "nvswitch"): "NVLink switch",
    ("power", "pdu"): "rack PDU",
    ("power", "shelf"): "power shelf",
    ("power", "sockets"): "circuit sockets",
}
"""What a role is called; one that is not listed is called after itself."""


def roles(design: Design, supply: PowerFeeds) -> pl.DataFrame:
    """Roles of everything that is exported."""
    racked = design.devices.select("kind", "role")
    plant = supply.ends.select(pl.lit("power").alias("kind"), pl.col("kind").alias("role"))
    kinds_and_roles = pl.concat([racked, plant]).unique(maintain_order=True).rows()
    rows_ = [
        (_role(kind, role), words()["colors"].get(role, words()["color_otherwise"])) for kind, role in kinds_and_roles
    ]
    rows = [(name, slug(name), str(color), False) for name, color in rows_]
    return pl.DataFrame(rows, schema=["name", "slug", "color", "vm_role"], orient="row")


def devices(design: Design, supply: PowerFeeds) -> pl.DataFrame:
    """Everything that is in a rack."""
    places = design.racks.select("rack", pl.col("hall").alias("location"))
    frame = pl.concat([_racked(design), _plant(design, supply)], how="diagonal_relaxed")
    frame = frame.join(_models(design), on="sku", how="left", maintain_order="left", nulls_equal=True)
    frame = frame.join(places, on="rack", how="left", maintain_order="left")
    return frame.select(
        "name",
        "role",
        "manufacturer",
        "device_type",
        pl.lit(status("device")).alias("status"),
        pl.lit(design.site.site).alias("site"),
        "location",
        "rack",
        "position",
        "face",
        "airflow",
        "description",
    )


def _racked(design: Design) -> pl.DataFrame:
    """Servers and switches. A switch whose ports the site turns to the rear is mounted from there."""
    every: dict[str, Server | Switch] = {**design.servers, **design.switches}
    airflow = {sku: words()["airflow"][part.airflow] for sku, part in every.items()}
    rear = [fabric.name for fabric in design.site.fabrics if fabric.ports_face == "rear"]
    turned = (pl.col("kind") == "switch") & pl.col("fabric").is_in(rear)
    pairs = design.devices.select("kind", "role").unique()
    with_role = pairs.with_columns(pl.Series("name_of_role", [_role(kind, role) for kind, role in pairs.rows()]))
    frame = design.devices.join(with_role, on=["kind", "role"], maintain_order="left")
    return frame.select(
        pl.col("device").alias("name"),
        pl.col("name_of_role").alias("role"),
        "sku",
        "rack",
        pl.col("unit").alias("position"),
        pl.when(turned).then(pl.lit("rear")).otherwise(pl.lit("front")).alias("face"),
        pl.col("sku").replace_strict(airflow, default=None, return_dtype=pl.String).alias("airflow"),
        pl.when(pl.col("fabric") != "").then(pl.format("fabric {}", "fabric")).alias("description"),
    )


def _plant(design: Design, supply: PowerFeeds) -> pl.DataFrame:
    kinds = {kind: _role("power", kind) for kind in ("pdu", "shelf", "sockets")}
    kind_name = pl.col("kind").replace_strict(kinds, return_dtype=pl.String)
    holders = supply.ends.unique("holder", keep="first", maintain_order=True)
    ended = holders.select(
        pl.col("holder").alias("name"), kind_name.alias("role"), "sku", "rack",
        pl.format("on circuit {}", "circuit").alias("description"),
    )  # fmt: skip
    shelves = design.power.filter(pl.col("kind") == "shelf").select(
        pl.col("element").alias("name"), pl.lit(kinds["shelf"]).alias("role"), "sku", "rack",
        pl.lit(None, pl.String).alias("description"),
    )  # fmt: skip
    units = design.power.filter(pl.col("unit").is_not_null()).select(
        pl.col("element").alias("name"), pl.col("unit").alias("position"), pl.lit("front").alias("face")
    )
    devices = pl.concat([ended, shelves]).unique("name", keep="first", maintain_order=True)
    return devices.join(units, on="name", how="left", maintain_order="left")


def _models(design: Design) -> pl.DataFrame:
    rows = [(sku, *model) for sku, model in models(design).items()]
    schema = {"sku": pl.String, "manufacturer": pl.String, "device_type": pl.String}
    return pl.DataFrame([*rows, (None, SOCKETS_MAKER, SOCKETS)], schema=schema, orient="row")


def _role(kind: str, role: str) -> str:
    return ROLES.get((kind, role), f"{role} {kind}")
