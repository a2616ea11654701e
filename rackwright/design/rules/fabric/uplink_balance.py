"""Every leaf has equally many links to every spine, and enough of them for the declared oversubscription.

OpenSM's fat-tree routing requires that switches of one rank have equal port counts in every group of ports upwards.
"""

from __future__ import annotations

from collections import Counter

import polars as pl

from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.design.topology import radix
from rackwright.model.design import Design

SOURCE = "OpenSM, current-routing.txt, fat-tree routing"


def judge(design: Design) -> Judged:
    """Per fabric with spines."""
    for fabric in design.site.fabrics:
        cables = design.cables.filter(pl.col("fabric") == fabric.name)
        up = cables.filter(pl.col("kind") == "leaf_spine")
        if up.is_empty():
            continue
        pairs = Counter(zip(up["a_device"], up["b_device"], strict=True))
        down = cables.filter(pl.col("kind") == "node_leaf")
        down_gbps = dict(down.group_by("b_device").agg(pl.col("gbps").sum()).iter_rows())
        up_gbps = dict(up.group_by("a_device").agg(pl.col("gbps").sum()).iter_rows())
        spread = sorted(set(pairs.values()))
        ratio = max(down_gbps.get(leaf, 0) / gbps for leaf, gbps in up_gbps.items())
        observed = f"{' or '.join(map(str, spread))} links per leaf and spine, {ratio:.2f}:1 at the fullest leaf"
        most = float(radix.ratio(fabric.oversubscription))
        expected = f"one number of links for all pairs, at most {most:.3g}:1"
        good = len(spread) == 1 and ratio <= most
        yield fabric.name, finding(good, observed, expected, SOURCE, f"Fabric {fabric.name}: {observed}")


RULE = Rule("uplink_balance", "Leaves hang evenly on spines", judge)
