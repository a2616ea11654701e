"""The cables of a fabric with what a fabric itself knows of them: tiers of both ends and port numbers."""

from __future__ import annotations

import polars as pl

from rackwright.locality.tiers import devices
from rackwright.model.design import Design


def links(design: Design, fabric: str | None = None) -> pl.DataFrame:
    """Every cable (of one fabric), with ``a_number``, ``b_number``, ``a_tier`` and ``b_tier`` beside its own columns."""
    cables = design.cables if fabric is None else design.cables.filter(pl.col("fabric") == fabric)
    near = cables.select("a_device").unique().rename({"a_device": "device"})
    far = cables.select("b_device").unique().rename({"b_device": "device"})
    ports = design.ports.join(pl.concat([near, far]).unique(), on="device", how="semi")
    tiers = devices(design).select("device", "tier")
    for end in ("a", "b"):
        number = ports.select(
            pl.col("device").alias(f"{end}_device"), pl.col("port").alias(f"{end}_port"),
            pl.col("number").alias(f"{end}_number"),
        )  # fmt: skip
        tier = tiers.select(pl.col("device").alias(f"{end}_device"), pl.col("tier").alias(f"{end}_tier"))
        cables = cables.join(number, on=[f"{end}_device", f"{end}_port"], how="left", maintain_order="left")
        cables = cables.join(tier, on=f"{end}_device", how="left", maintain_order="left")
    return cables
