"""The text of cable labels: both ends on each, the near one first.

ANSI/TIA-606-B gives both terminations as rack, rack unit and port, the near end first (``4BK01-55:50/DC.C03-14:04``), and
ANSI/TIA-606-A-1 has cords labelled at both ends with rack, equipment and port; the device name is added beside the unit, because the rest of
the design uses it.
"""

from __future__ import annotations

import polars as pl


def with_labels(cables: pl.DataFrame) -> pl.DataFrame:
    """`cables` with ``a_label`` and ``b_label``: ``train-r01 U01 train-001:mlx5_0 / fabric-r01 U41 compute-leaf-01:1``."""
    return cables.with_columns(a_place=_place("a"), b_place=_place("b")).with_columns(
        pl.format("{} / {}", "a_place", "b_place").alias("a_label"),
        pl.format("{} / {}", "b_place", "a_place").alias("b_label"),
    )


def labels(cables: pl.DataFrame) -> pl.DataFrame:
    """Two rows per cable of a schedule: ``order``, ``end``, ``cable``, ``near``, ``far`` and ``note`` (fabric, part, bundle)."""
    length = pl.when(pl.col("length_meters").is_null()).then(pl.lit("?")).otherwise(_meters())
    note = pl.format("{}  {} {} m  {}", "order", "sku", length, "bundle").alias("note")
    sides = [
        cables.select(
            "order",
            pl.lit(end).alias("end"),
            "cable",
            pl.col(f"{end}_rack").alias("rack"),
            pl.col(f"{end}_unit").alias("unit"),
            _place(end).alias("near"),
            _place(far_end).alias("far"),
            note,
        )
        for end, far_end in (("a", "b"), ("b", "a"))
    ]
    return pl.concat(sides).sort("order", "end")


def _place(end: str) -> pl.Expr:
    unit = pl.col(f"{end}_unit").cast(pl.String).str.zfill(2)
    return pl.format("{} U{} {}:{}", f"{end}_rack", unit, f"{end}_device", f"{end}_port")


def _meters() -> pl.Expr:
    """A length without a trailing zero."""
    return pl.col("length_meters").cast(pl.String).str.replace(r"\.0$", "")
