"""Counts transceivers: one per cage where a fibre with transceivers ends."""

from __future__ import annotations

import polars as pl

from rackwright.catalog import Catalog
from rackwright.model.design import Design

RULE = (
    "One transceiver stands in every cage that a fibre ends in; ports of a twin cage and lanes of a port share theirs."
)


def counts(design: Design, catalog: Catalog) -> dict[str, int]:  # noqa: ARG001 - every counter has the same shape
    """Transceivers by SKU: at each end of every cable whose part names one."""
    plugged = design.plugs.drop_nulls("optic")
    return {
        optic: int(count)
        for optic, count in plugged.group_by("optic").agg(pl.col("cages").sum()).sort("optic").iter_rows()
    }
