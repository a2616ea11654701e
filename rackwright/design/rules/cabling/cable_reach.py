"""No cable is longer than the reach of its part."""

from __future__ import annotations

import polars as pl

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per fabric and kind of link: the cable with the least reach to spare. Cables of unknown length are reported once for the site."""
    unknown = design.cables.filter(pl.col("length_meters").is_null())
    if not unknown.is_empty():
        yield (
            "halls",
            _unknown_routes(unknown, dict(design.devices.select("device", "rack").iter_rows()), _halls(design)),
        )
    measured = design.cables.drop_nulls("length_meters")
    for (fabric, kind), rows in measured.group_by("fabric", "kind", maintain_order=True):
        yield f"{fabric} {kind}", _longest(design, f"{fabric} {kind}", rows)


def _longest(design: Design, target: str, rows: pl.DataFrame) -> Finding:
    """Of the cable with the least reach to spare."""
    longest = rows.sort("length_meters", descending=True, maintain_order=True).unique(
        "sku", keep="first", maintain_order=True
    )
    worst = min(
        longest.iter_rows(named=True), key=lambda row: design.cable_parts[row["sku"]].max_meters - row["length_meters"]
    )
    meters, part = worst["length_meters"], design.cable_parts[worst["sku"]]
    observed = f"{meters:g} m ({worst['cable']})"
    expected = f"at most {part.max_meters:g} m of {part.sku}"
    count = rows["sku"].eq(part.sku).sum()
    says = f"The longest of {count} cables {target} of {part.sku} is {worst['cable']} with {meters:g} m"
    step = "bring the racks at its ends closer (facility.racks, shorter rows or routes), or choose switches of a lower rate"
    return finding(meters <= part.max_meters, observed, expected, f"SKU {part.sku}", says, step)


def _halls(design: Design) -> dict[str, str]:
    return dict(design.racks.select("rack", "hall").iter_rows())


def _unknown_routes(cables: pl.DataFrame, rack: dict[str, str], hall: dict[str, str]) -> Finding:
    """The pairs of halls without a route, and how many cables need one."""
    where = [pl.col(end).replace_strict(rack).replace_strict(hall) for end in ("a_device", "b_device")]
    pairs = cables.select(pl.min_horizontal(*where).alias("one"), pl.max_horizontal(*where).alias("other"))
    counted = pairs.group_by("one", "other").len().sort("one", "other")
    named = [f"{row['one']} and {row['other']}" for row in counted.head(SHOWN).iter_rows(named=True)]
    more = f" and {len(counted) - SHOWN} more pairs" if len(counted) > SHOWN else ""
    observed = f"{len(cables)} cable{'' if len(cables) == 1 else 's'} between {', '.join(named)}{more}"
    return Finding(
        outcome=Outcome.INCONCLUSIVE,
        observed=observed,
        expected="a route between these halls",
        source="site facility.routes",
        says=f"No length is known of {observed}: the site declares no route between them ({cables['cable'][0]} is one).",
        next_step="declare facility.routes with the two halls and the metres between them",
    )


SHOWN = 3
"""Pairs of halls that the sentence names."""
RULE = DesignRule("cable_reach", "Every cable is within the reach of its part", judge)
