"""The fabric carries what a tier promises, and gives each node the rate that the vendor requires of a storage fabric."""

from __future__ import annotations

from rackwright.catalog import storage_guidelines
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.rules.storage.degraded import weaker
from rackwright.design.storage.study import PathPart, TierStudy, tiers
from rackwright.model.design import Design
from rackwright.model.verdict import Finding

NODE_SIDE = ("node-uplinks", "node-ports")
NEXT = {
    "server-ports": "add storage servers, or leave more ports free (reserved.storage) on {fabric}",
    "server-uplinks": "lower the oversubscription of {fabric}, or spread the storage servers over more leaves",
    "node-uplinks": "lower the oversubscription of {fabric}",
    "node-ports": "reach it over a fabric with more or faster ports",
}
NOT_BLOCKING = {
    "server-uplinks": "spread the storage servers over more leaves, or choose a faster switch for {fabric}, which has no oversubscription to lower",
    "node-uplinks": "choose a faster switch for {fabric}, which has no oversubscription to lower, or promise less",
}
"""For a fabric that gives as much upwards as downwards."""


def judge(design: Design) -> Judged:
    """Per shared tier: the lowest stage of the fabric against the promise, then the rate of each node."""
    roles = {fabric.name: fabric.role for fabric in design.site.fabrics}
    even_switches = {
        fabric.name for fabric in design.site.fabrics if fabric.oversubscription == 1 and not fabric.switches_of
    }
    even = {fabric.name for fabric in design.site.fabrics if fabric.owner in even_switches}
    for tier in tiers(design):
        if tier.kind != "local":
            yield tier.tier, _promise(tier, even)
        if tier.path.pools and roles.get(tier.path.fabric or "") == "storage":
            yield f"{tier.tier} per node", _per_node(tier, even)


def _promise(tier: TierStudy, even: set[str]) -> Finding:
    fabric = tier.path.fabric or "any fabric"
    required = max(tier.promise.read_gbytes_per_s, tier.promise.write_gbytes_per_s)
    stages = [part for part in tier.path.parts if part.part != "servers"]
    expected, source = f"{required:,.1f} GB/s, as the tier promises", f"site storage {tier.tier}"
    if not tier.path.pools or not stages:
        says = f"No node reaches tier {tier.tier} over {fabric}"
        step = "name a fabric that connects the pools"
        return finding(good=False, observed="no path", expected=expected, source=source, says=says, next_step=step)
    least = min(stages, key=lambda part: part.read_gbytes_per_s)
    observed = f"{least.read_gbytes_per_s:,.1f} GB/s at {least.part} ({least.at})"
    says = f"Fabric {fabric} carries {observed} between nodes and tier {tier.tier}"
    step = _step(least.part, fabric, even)
    return finding(least.read_gbytes_per_s >= required, observed, expected, source, says, step)


def _per_node(tier: TierStudy, even: set[str]) -> Finding:
    """Degraded, because it is a guideline: less still works."""
    required = storage_guidelines.load().fabric_gbytes_per_s_per_node
    nodes = sum(pool.nodes for pool in tier.path.pools.values())
    stages: list[PathPart] = [part for part in tier.path.parts if part.part in NODE_SIDE]
    least = min(stages, key=lambda part: part.read_gbytes_per_s)
    each = least.read_gbytes_per_s / nodes
    observed = f"{each:,.1f} GB/s for each of {nodes} nodes at {least.part} ({least.at})"
    says = f"Fabric {tier.path.fabric} carries {observed}"
    step = _step(least.part, tier.path.fabric or "", even)
    source = "DGX SuperPOD RA-11333-001, storage fabric"
    return weaker(finding(each >= required, observed, f"at least {required:g} GB/s for each", source, says, step))


def _step(part: str, fabric: str, even: set[str]) -> str:
    steps = {**NEXT, **NOT_BLOCKING} if fabric in even else NEXT
    return steps.get(part, "").format(fabric=fabric)


RULE = DesignRule("storage_path", "The fabric carries what a storage tier promises", judge)
