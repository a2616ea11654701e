"""Storage tiers: what jobs demand of each, what it promises, and the path between it and the nodes.

The fields are those of ``study.TierStudy``.

   demand.py  checkpoint.py  jobs.py     demand of jobs       path.py  uplinks.py     capacity of the fabric
   cache.py   gpudirect.py               local drives, RDMA   guideline.py            vendor requirements
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rackwright.catalog import Catalog
from rackwright.design.population import unit_count
from rackwright.design.storage import cache, demand, gpudirect, guideline
from rackwright.design.storage import path as ways
from rackwright.design.storage.study import GuidelineStudy, Made, Rates, ServerStudy, TierPath, TierStudy
from rackwright.model.design import Design
from rackwright.model.workload import StorageTier

__all__ = ["add", "guideline"]
TERABYTES = 1e3
"""Of a petabyte."""
DECIMALS = 6


def add(design: Design, catalog: Catalog) -> Design:  # noqa: ARG001 - every step has the same shape
    """`design` with ``studies["storage"]``; unchanged when the site declares no tier."""
    if not design.site.storage:
        return design
    paths = {tier.name: ways.find_path(design, tier) for tier in design.site.storage}
    by_tier = {
        tier.name: _rounded_values(_tier(design, tier, paths).model_dump(mode="json")) for tier in design.site.storage
    }
    return replace(design, studies={**design.studies, "storage": by_tier})


def _tier(design: Design, tier: StorageTier, paths: Mapping[str, TierPath]) -> TierStudy:
    path = paths[tier.name]
    requested = demand.of_tier(design, tier, path)
    return TierStudy(
        tier=tier.name,
        kind=tier.tier,
        promise=_promise(tier),
        capacity_pbytes=tier.capacity_pbytes,
        servers=_servers(design, tier),
        drives=_drives(design) if tier.tier == "local" else None,
        path=path,
        bottleneck_read=ways.path_rate(tier, path, "read")[1],
        bottleneck_write=ways.path_rate(tier, path, "write")[1],
        demand=demand.together(requested),
        workloads=requested,
        caches=cache.of_tier(design, tier, paths),
        guideline=_guideline(design, tier, path),
        gpudirect_problems=gpudirect.problems(design, tier, path) if tier.gpudirect else None,
    )


def _promise(tier: StorageTier) -> Rates:
    return Rates(read_gbytes_per_s=float(tier.read_gbytes_per_s), write_gbytes_per_s=float(tier.write_gbytes_per_s))


def _servers(design: Design, tier: StorageTier) -> ServerStudy | None:
    server = design.servers.get(tier.servers.server) if tier.servers else None
    if tier.servers is None or server is None or server.storage is None:
        return None
    count, each = tier.servers.count, server.storage
    return ServerStudy(
        sku=server.sku,
        count=count,
        read_gbytes_per_s=count * each.read_gbytes_per_s,
        write_gbytes_per_s=count * each.write_gbytes_per_s,
        capacity_pbytes=count * each.capacity_pbytes,
    )


def _drives(design: Design) -> Made:
    """The local drives of all nodes that have any."""
    drives = [
        (pool.count, local)
        for pool in design.site.pools
        if pool.server in design.servers and (local := design.servers[pool.server].local_storage)
    ]
    return Made(
        count=sum(nodes for nodes, _ in drives),
        read_gbytes_per_s=sum(nodes * entry.drives * entry.read_gbytes_per_s_each for nodes, entry in drives),
        write_gbytes_per_s=sum(nodes * entry.drives * entry.write_gbytes_per_s_each for nodes, entry in drives),
        capacity_pbytes=sum(nodes * entry.drives * entry.terabytes_each for nodes, entry in drives) / TERABYTES,
    )


def _guideline(design: Design, tier: StorageTier, path: TierPath) -> GuidelineStudy | None:
    """Levels are for shared tiers, and for pools of accelerators; None where no node reaches the tier."""
    pools = [pool for pool in design.site.pools if pool.name in path.pools]
    if tier.tier == "local" or not pools:
        return None
    units = sum(unit_count(pool) for pool in pools)
    reference = guideline.published(pools[0].server)
    node = Rates(
        read_gbytes_per_s=min(ways.job_rate(tier, path, pool.name, 1, "read")[0] for pool in pools),
        write_gbytes_per_s=min(ways.job_rate(tier, path, pool.name, 1, "write")[0] for pool in pools),
    )
    return GuidelineStudy(
        design=reference,
        scalable_units=units,
        level=guideline.reached(_promise(tier), units, reference),
        node_level=guideline.node_reached(node, reference),
        node=node,
    )


def _rounded_values(value: Any) -> Any:
    """JSON with floats rounded, so that equal values print equally."""
    if isinstance(value, dict):
        return {key: _rounded_values(element) for key, element in value.items()}
    if isinstance(value, list):
        return [_rounded_values(element) for element in value]
    return round(value, DECIMALS) if isinstance(value, float) else value
