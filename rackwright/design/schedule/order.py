"""In which order cables are pulled: the longest ways first, then rack by rack along a row, bundle by bundle.

What runs furthest lies at the bottom of
the tray and at the inside of the cable manager, so it is laid before what would cover it: stages from between halls to
inside the rack; within a stage each row, and in it each rack of the near end, from its longest bundle to its shortest;
within a bundle the longest cable first.
"""

from __future__ import annotations

import polars as pl


def in_order(cables: pl.DataFrame) -> pl.DataFrame:
    """`found` in pull order. A cable whose way has no known length goes first in its stage and rack.

    A bundle belongs to the first rack that a near end of it is in, and to the crew of that rack's row.
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
