"""Links between switches are spread evenly, and there are enough of them for the declared oversubscription.

OpenSM's fat-tree routing requires that switches of one rank have equal port counts in every group of ports upwards. A
mesh, a Dragonfly and the planes of a fabric each have their own form of the same demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isclose

import polars as pl

from rackwright.design.rules.fabric import evenness
from rackwright.design.rules.fabric.evenness import Evenness
from rackwright.design.rules.rule import DesignRule, Judged
from rackwright.design.topology import radix
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric
from rackwright.model.verdict import Finding, Outcome

SOURCE = "OpenSM, current-routing.txt, fat-tree routing"
MANAGER = "ufm"
MESHED = ("full-mesh", "dragonfly")
DIRECT = ("collapsed-core", *MESHED)
"""Topologies without ranks of switches."""
GROUPED = ("dragonfly", "dragonfly-plus")
MORE_UP = "raise leaf_up or lower leaf_down, or declare the oversubscription that is meant"
_WORST = (Outcome.FAIL, Outcome.DEGRADED, Outcome.PASS)


def judge(design: Design) -> Judged:
    """Per fabric with links between switches."""
    every = evenness.bundles(design.cables)
    managers = design.node_table.filter(pl.col("role") == MANAGER)["node"].to_list()  # they send next to nothing
    hosts = design.cables.filter((pl.col("kind") == "node_leaf") & ~pl.col("a_device").is_in(managers))
    owners = {fabric.name: fabric.name if _apart(fabric, design) else fabric.owner for fabric in design.site.fabrics}
    hosts = hosts.with_columns(pl.col("fabric").replace(owners))
    down = hosts.group_by("fabric", pl.col("b_device").alias("device")).agg(pl.col("gbps").sum())
    for fabric in design.site.fabrics:
        links = every.filter(pl.col("fabric") == fabric.name)
        if links.is_empty():
            continue
        cables = design.cables.filter(pl.col("fabric") == fabric.name)
        results = list(_look(fabric, links, cables, down.filter(pl.col("fabric") == fabric.name)))
        yield fabric.name, _finding(fabric, results)


def _apart(fabric: Fabric, design: Design) -> bool:
    """True for a fabric on a collapsed core of another: its hosts are on both switches, and load no link between the two.

    So published (NVIDIA enterprise-ras, spectrum-era 2-8-9-400, topology file): 48 links for 48 east-west links a switch, north-south aside.
    """
    return any(owner.name == fabric.switches_of and owner.topology == "collapsed-core" for owner in design.site.fabrics)


def _look(fabric: Fabric, links: pl.DataFrame, cables: pl.DataFrame, down: pl.DataFrame) -> Iterator[Evenness]:
    of = {kind: links.filter(pl.col("kind") == kind) for kind in evenness.BETWEEN}
    yield from evenness.leaves(of["leaf_spine"])
    yield from evenness.cores(of["spine_core"])
    if fabric.topology in MESHED:
        yield from evenness.mesh(of["isl"])
    local = of["isl"] if fabric.topology == "dragonfly" else of["leaf_spine"]
    if not local.is_empty():
        yield from evenness.groups(of["global"], local)
    yield from evenness.planes(cables, fabric.planes)
    yield from _ratio(fabric, of, local, down)


def _ratio(fabric: Fabric, of: dict[str, pl.DataFrame], local: pl.DataFrame, down: pl.DataFrame) -> Iterator[Evenness]:
    """Load over capacity where it is highest: uplinks of a leaf; with uniform traffic, a link of a mesh or of groups."""
    if down.is_empty():
        return
    most = radix.ratio(fabric.oversubscription)
    if not of["leaf_spine"].is_empty() or fabric.topology not in MESHED:
        up = pl.concat(
            [_ends(of["leaf_spine"], "a_device"), *(_ends(of["isl"], side) for side in ("a_device", "b_device"))]
        )
        up = up.group_by("device").agg(pl.col("gbps").sum().alias("up"))
        load = down.join(up, on="device").select((pl.col("gbps") / pl.col("up")).max()).item()
        yield _at_most(load, most, "at the fullest leaf")
    if fabric.topology == "full-mesh" and not of["isl"].is_empty():
        leaves = pl.concat([of["isl"]["a_device"], of["isl"]["b_device"]]).n_unique()
        load = _highest_rate(down["gbps"]) / leaves / _lowest_rate(of["isl"]["gbps"])
        yield _at_most(load, most, "between two leaves with uniform traffic")
    if fabric.topology in GROUPED and not of["global"].is_empty():
        named = down.join(evenness.group_of(local), on="device").group_by("group").agg(pl.col("gbps").sum())
        joined = evenness.grouped(of["global"], local)
        groups = pl.concat([joined["low"], joined["high"]]).n_unique()
        load = _highest_rate(named["gbps"]) / groups / _lowest_rate(joined["gbps"])
        step = "raise dragonfly.global_links or lower dragonfly.hosts_per_switch, or declare the oversubscription that is meant"
        yield _at_most(load, most, "between two groups with uniform traffic", step)


def _highest_rate(rates: pl.Series) -> float:
    return float(rates.cast(pl.Float64).sort()[-1])


def _lowest_rate(rates: pl.Series) -> float:
    return float(rates.cast(pl.Float64).sort()[0])


def _ends(links: pl.DataFrame, side: str) -> pl.DataFrame:
    return links.select(pl.col(side).alias("device"), "gbps")


def _at_most(load: float | None, most: Fraction, where: str, step: str = MORE_UP) -> Evenness:
    limit = float(most)
    good = load is not None and (load <= limit or isclose(load, limit))  # thirds of a rate are no exact floats
    words = "no links" if load is None else f"{load:.2f}:1 {where}"
    outcome = Outcome.PASS if good else Outcome.FAIL
    return Evenness(outcome, words, f"at most {limit:.3g}:1", "" if good else step)


def _finding(fabric: Fabric, results: list[Evenness]) -> Finding:
    outcome = next(result for result in _WORST if any(part.outcome is result for part in results))
    observed = ", ".join(part.says for part in results)
    expected = ", ".join(dict.fromkeys(part.expected for part in results))
    step = "; ".join(dict.fromkeys(part.next_step for part in results if part.next_step))
    source = f"fabric {fabric.name}, oversubscription" if fabric.topology in DIRECT else SOURCE
    says = f"Fabric {fabric.name}: {observed}; expected {expected} ({source})."
    return Finding(outcome=outcome, observed=observed, expected=expected, source=source, says=says, next_step=step)


RULE = DesignRule("uplink_balance", "Links between switches are spread evenly", judge)
