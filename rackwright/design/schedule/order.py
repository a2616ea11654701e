"""The pull order of cables: the longest routes first, then rack by rack along a row, bundle by bundle.

The longest cables lie at the bottom of the tray and at the inside of the cable manager, so they are laid before the ones that cover
them: stages from between halls to inside the rack; within a stage each row, and in it each rack of the near end, from its longest bundle to
its shortest; within a bundle the longest cable first.
"""

from __future__ import annotations

import polars as pl


def in_order(cables: pl.DataFrame) -> pl.DataFrame:
    """`cables` in pull order. A cable with an unknown length goes first in its stage and rack.

    A bundle belongs to the first rack with a near end in it, and to the crew of that rack's row.
    """
    way = pl.col("routed_meters").fill_null(float("inf"))
    keyed = cables.with_columns(
        way.alias("way"),
        way.max().over("bundle").alias("longest"),
        pl.col("at").min().over("bundle").alias("first"),
        pl.col("a_at").min().over("bundle").alias("home"),
        pl.col("crew").sort_by("a_at").first().over("bundle"),
    )
    ranked = keyed.sort(
        "stage", "home", "longest", "first", "way", "at", descending=[False, False, True, False, True, False]
    )
    return ranked.drop("way", "longest", "first", "home").with_row_index("order", offset=1)
