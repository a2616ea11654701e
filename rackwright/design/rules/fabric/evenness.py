"""How evenly the links between the switches of one fabric are spread: the parts of the rule about uplinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from rackwright.model.verdict import Outcome

BUNDLE = ["fabric", "kind", "plane", "a_device", "b_device"]
BETWEEN = ("leaf_spine", "spine_core", "isl", "global")


@dataclass(frozen=True)
class Evenness:
    """The result for one kind of link."""

    outcome: Outcome
    says: str
    expected: str
    next_step: str = ""


def bundles(cables: pl.DataFrame) -> pl.DataFrame:
    """One row per fabric, kind, plane and pair of switches: links, and their rate together."""
    between = cables.filter(pl.col("kind").is_in(BETWEEN))
    return between.group_by(BUNDLE, maintain_order=True).agg(pl.len().alias("links"), pl.col("gbps").sum())


def leaves(up: pl.DataFrame) -> Iterator[Evenness]:
    """Every leaf has one number of links to all its spines, and all leaves have equally many links.

    A pod that is not full has fewer spines, with more links to each: it works, but not with routing by ranks of equal switches.
    """
    if up.is_empty():
        return
    pairs = _values(up["links"])
    per_leaf = up.group_by("a_device").agg(
        pl.col("links").sum(), pl.col("links").min().alias("least"), pl.col("links").max().alias("most")
    )
    totals = _values(per_leaf["links"])
    even = len(totals) == 1 and per_leaf.filter(pl.col("least") != pl.col("most")).is_empty()
    says = f"{_links(pairs)} per leaf and spine"
    expected = "one number of links for all pairs"
    if even and len(pairs) > 1:
        step = "take a number of scalable units that fills the last pod, or route with an engine that does not rank switches"
        yield Evenness(Outcome.DEGRADED, f"{says}, for the last pod is not full", expected, step)
        return
    if len(pairs) == 1 and not even:
        says += f", {_words(totals)} per leaf"
    step = "declare leaf_up with a divisor near the number of spines, or leave leaf_up and tiers out"
    yield _evenness(even, says, expected, step)


def cores(up: pl.DataFrame) -> Iterator[Evenness]:
    """Spines connect evenly to cores; a difference of one link still works."""
    if up.is_empty():
        return
    pairs = _values(up["links"])
    totals = _values(up.group_by("b_device").agg(pl.col("links").sum())["links"])
    uneven = max(pairs[-1] - pairs[0], totals[-1] - totals[0])
    says = f"{_links(pairs)} per spine and core"
    if not uneven:
        yield Evenness(Outcome.PASS, says, "as many from every spine to each of its cores")
        return
    outcome = Outcome.DEGRADED if uneven == 1 else Outcome.FAIL
    step = (
        "route with an engine that does not need equal port groups (updn, or adaptive routing), or take a number of "
        "scalable units, or a core_switch, for which the uplinks of a spine divide by its cores"
    )
    yield Evenness(outcome, says, "as many from every spine to each of its cores", step)


def mesh(links: pl.DataFrame) -> Iterator[Evenness]:
    """Every two leaves of a mesh, or routers of a group, are joined by one number of links."""
    if links.is_empty():
        return
    pairs = _values(links["links"])
    ends = pl.concat([links["a_device"], links["b_device"]]).alias("device").to_frame()
    partners = _values(ends.group_by("device").len()["len"])
    good = len(pairs) == 1 and len(partners) == 1
    says = f"{_links(pairs)} to each of {_words(partners)} other switches"
    yield _evenness(good, says, "one number of links between every two switches", "leave leaf_up out")


def groups(links: pl.DataFrame, local: pl.DataFrame) -> Iterator[Evenness]:
    """Every two groups of a Dragonfly are joined by one number of links. `local` are the bundles within groups."""
    if links.is_empty():
        return
    joined = grouped(links, local)
    pairs = _values(joined["links"])
    count = pl.concat([joined["low"], joined["high"]]).n_unique()
    all_pairs = joined.height == count * (count - 1) // 2
    good = len(pairs) == 1 and all_pairs
    says = f"{_links(pairs)} between {joined.height} pairs of {count} groups"
    yield _evenness(good, says, "one number of links between every two groups", "leave dragonfly.global_links out")


def grouped(links: pl.DataFrame, local: pl.DataFrame) -> pl.DataFrame:
    """Links between every two groups: low, high, links, gbps. A group is named after the first of its switches."""
    group = dict(group_of(local).iter_rows())
    near, far = (links[side].replace(group) for side in ("a_device", "b_device"))
    frame = links.select("links", "gbps").with_columns(near.alias("near"), far.alias("far"))
    frame = frame.with_columns(
        pl.min_horizontal("near", "far").alias("low"), pl.max_horizontal("near", "far").alias("high")
    )
    return frame.group_by("low", "high").agg(pl.col("links").sum(), pl.col("gbps").sum())


def group_of(local: pl.DataFrame) -> pl.DataFrame:
    """Device and group of every switch: routers of a group are meshed, or its leaves all meet all of its spines."""
    both = pl.concat(
        [
            local.select(pl.col("a_device").alias("device"), pl.col("b_device").alias("other")),
            local.select(pl.col("b_device").alias("device"), pl.col("a_device").alias("other")),
        ]
    )
    least = both.group_by("device").agg(
        pl.min_horizontal(pl.col("other").min(), pl.col("device").first()).alias("group")
    )
    again = both.join(least.rename({"device": "other"}), on="other").group_by("device").agg(pl.col("group").min())
    return again.join(least, on="device").select("device", pl.min_horizontal("group", "group_right"))


def planes(cables: pl.DataFrame, declared: int) -> Iterator[Evenness]:
    """Every plane has as many links of hosts and between switches as the others, and none is missing."""
    if declared == 1:
        return
    counted = cables.filter(pl.col("plane").is_not_null()).group_by("plane", "kind").agg(pl.len().alias("links"))
    per_kind = counted.filter(pl.col("kind").is_in([*BETWEEN, "node_leaf"])).group_by("kind").agg(
        pl.col("links").min().alias("least"), pl.col("links").max().alias("most"), pl.len().alias("planes")
    )  # fmt: skip
    control = per_kind.filter((pl.col("planes") < declared) | (pl.col("most") > pl.col("least")))
    uneven = control.filter(pl.col("kind") != "node_leaf")
    there = counted["plane"].n_unique()
    good = uneven.is_empty() and there == declared
    says = f"{there} planes" + ("" if uneven.is_empty() else f" with unequal {', '.join(sorted(uneven['kind']))} links")
    yield _evenness(good, says, f"{declared} planes, each complete in itself", "check the adapters of every pool")


def _values(series: pl.Series) -> list[int]:
    return [int(value) for value in series.unique().sort()]


def _words(values: list[int]) -> str:
    """``7 or 8``; of many values the least and the most."""
    return " or ".join(map(str, values)) if len(values) <= 3 else f"{values[0]} to {values[-1]}"


def _links(values: list[int]) -> str:
    return f"{_words(values)} link{'' if values == [1] else 's'}"


def _evenness(good: bool, says: str, expected: str, step: str) -> Evenness:
    return Evenness(Outcome.PASS if good else Outcome.FAIL, says, expected, "" if good else step)
