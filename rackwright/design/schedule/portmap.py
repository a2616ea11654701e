"""The port map of a rack: the cable in each port, and its far end.

Free and reserved ports are listed too, because the crew must leave them alone.
"""

from __future__ import annotations

import polars as pl

from rackwright.model.design import Design

COLUMNS = [
    "unit",
    "device",
    "port",
    "fabric",
    "gbps",
    "cable",
    "reserved",
    "far_rack",
    "far_unit",
    "far_device",
    "far_port",
    "sku",
    "length_meters",
]


def port_map(design: Design, rack: str) -> pl.DataFrame:
    """Every port in `rack`, devices from the top down, ports in their order, with the columns `COLUMNS`."""
    rack_devices = design.devices.filter(pl.col("rack") == rack).select("device", "unit")
    ports = design.ports.join(rack_devices, on="device", how="inner", maintain_order="left").with_row_index("at")
    mine = design.cables.filter(
        pl.col("a_device").is_in(rack_devices["device"].to_list())
        | pl.col("b_device").is_in(rack_devices["device"].to_list())
    )
    far = pl.concat([_cable_ends(mine, "a", "b"), _cable_ends(mine, "b", "a")])
    places = design.devices.select(
        pl.col("device").alias("far_device"), pl.col("rack").alias("far_rack"), pl.col("unit").alias("far_unit")
    )
    joined = ports.join(far, on=["device", "port", "cable"], how="left").join(places, on="far_device", how="left")
    return joined.sort("unit", "at", descending=[True, False]).select(COLUMNS)


def _cable_ends(cables: pl.DataFrame, near: str, far: str) -> pl.DataFrame:
    """The cables from the side of `near`."""
    return cables.select(
        pl.col(f"{near}_device").alias("device"),
        pl.col(f"{near}_port").alias("port"),
        "cable",
        pl.col(f"{far}_device").alias("far_device"),
        pl.col(f"{far}_port").alias("far_port"),
        "sku",
        "length_meters",
    )
