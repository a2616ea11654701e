"""No cable is longer than its part reaches."""

from __future__ import annotations

import polars as pl

from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per fabric and kind of link: the longest cable of every part."""
    groups = design.cables.group_by("fabric", "kind", "sku", maintain_order=True)
    for (fabric, kind, sku), rows in groups:
        target = f"{fabric} {kind}"
        part = design.cable_parts[str(sku)]
        if rows["length_meters"].null_count():
            yield target, _unknown(target, rows.filter(pl.col("length_meters").is_null())["cable"][0])
            continue
        worst = rows.sort("length_meters", descending=True, maintain_order=True).row(0, named=True)
        longest = worst["length_meters"]
        observed = f"{longest:g} m ({worst['cable']})"
        expected = f"at most {part.max_meters:g} m of {part.sku}"
        says = f"The longest of {len(rows)} cables {target} is {worst['cable']} with {longest:g} m"
        step = "bring the racks at its ends closer (facility.racks, shorter rows or routes), or choose switches of a lower rate"
        yield target, finding(longest <= part.max_meters, observed, expected, f"SKU {part.sku}", says, step)


def _unknown(target: str, cable: str) -> Finding:
    return Finding(
        outcome=Outcome.INCONCLUSIVE,
        observed=f"{cable} runs between halls",
        expected="a length that the part reaches",
        source="site facility.halls",
        says=f"Cables {target} run between halls, and the site declares no route between halls ({cable} is one).",
        next_step="declare facility.routes with the two halls and the metres between them",
    )


RULE = Rule("cable_reach", "Every cable is within the reach of its part", judge)
