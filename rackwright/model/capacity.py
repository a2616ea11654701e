"""The capacity that tenants share: every pool divided into its lanes, the nodes outside lanes, and the nodes of another scheduler.

In the model because the checks of a site, the proof that jobs can be placed and the platform stack must come to the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rackwright.model.accelerator import Accelerator
from rackwright.model.server import Server
from rackwright.model.site import Pool, Site
from rackwright.model.tenancy import JobClass, Quota


@dataclass(frozen=True)
class PoolPart:
    """Equal nodes of a pool: those of a lane, those outside all lanes, or those of another scheduler. Every node is in exactly one part."""

    pool: str
    lane: str
    """Empty outside all lanes."""
    scheduler: str
    moved: bool
    """Its nodes have another scheduler than their pool."""
    accelerator: str
    """SKU of its accelerators."""
    per_node: int
    """Devices of a node, as the scheduler counts them."""
    first: int
    """Number of its first node among those of the pool that its scheduler has, from 1."""
    nodes: int
    reserved: int
    """Nodes that no quota gives away."""

    @property
    def name(self) -> str:
        """``serve``, ``serve-chat``, ``train-kubernetes``."""
        word = self.scheduler if self.moved else self.lane
        return f"{self.pool}-{word}" if word else self.pool

    @property
    def accelerators(self) -> int:
        """Devices of all nodes of the part."""
        return self.nodes * self.per_node

    @property
    def available(self) -> int:
        """Devices that quotas may give away."""
        return max(self.nodes - self.reserved, 0) * self.per_node


def parts(
    site: Site, servers: Mapping[str, Server], accelerators: Mapping[str, Accelerator], scheduler: str = ""
) -> list[PoolPart]:
    """The parts of every pool that has accelerators, lanes first; a lane larger than the free nodes of its pool is cut to them.

    With `scheduler` only the parts of that scheduler.
    """
    every = (part for pool in site.pools for part in _of_pool(site, pool, servers, accelerators))
    return [part for part in every if scheduler in ("", part.scheduler)]


def _of_pool(
    site: Site, pool: Pool, servers: Mapping[str, Server], accelerators: Mapping[str, Accelerator]
) -> Iterator[PoolPart]:
    server = servers.get(pool.server)
    accelerator = accelerators.get(server.accelerator or "") if server else None
    if server is None or accelerator is None or not server.accelerators:
        return
    per_node, used = server.accelerators * accelerator.devices, 0
    counts = pool.nodes_by_scheduler()
    free = counts.pop(pool.scheduler, 0)
    for lane in site.policies.lanes:
        if lane.pool == pool.name:
            nodes = min(lane.nodes, free - used)
            yield PoolPart(pool.name, lane.name, pool.scheduler, False, accelerator.sku, per_node, used + 1, nodes, 0)
            used += nodes
    reserved = math.ceil(
        sum(reserve.share for reserve in site.policies.reserved if reserve.pool == pool.name) * pool.count
    )
    nodes = free - used
    reserved = min(reserved, nodes)
    yield PoolPart(pool.name, "", pool.scheduler, False, accelerator.sku, per_node, used + 1, nodes, reserved)
    for scheduler, count in counts.items():
        yield PoolPart(pool.name, "", scheduler, True, accelerator.sku, per_node, 1, count, 0)


def overfull_pools(site: Site) -> set[str]:
    """Pools whose lanes declare more nodes than the pool has; the sizes of their parts are meaningless."""
    lanes = {
        pool.name: sum(lane.nodes for lane in site.policies.lanes if lane.pool == pool.name) for pool in site.pools
    }
    return {pool.name for pool in site.pools if lanes[pool.name] > pool.nodes_by_scheduler().get(pool.scheduler, 0)}


def of_class(job: JobClass, site: Site, every: list[PoolPart]) -> list[PoolPart]:
    """The parts in which jobs of the class may run: in each pool the lanes that list the class, or else the part outside all lanes."""
    lanes = {(lane.pool, lane.name) for lane in site.policies.lanes if job.name in lane.classes}
    pools = {pool for pool, _ in lanes}
    return [
        part
        for part in every
        if part.nodes
        and (not job.pools or part.pool in job.pools)
        and ((part.pool, part.lane) in lanes if part.pool in pools else not part.lane)
    ]


def classes_in(site: Site, some: list[PoolPart]) -> list[JobClass]:
    """The classes whose jobs may run in at least one of the parts `some`."""
    return [job for job in site.classes if of_class(job, site, some)]


def of_quota(quota: Quota, every: list[PoolPart]) -> list[PoolPart]:
    """The parts that match the accelerator, pool, lane and scheduler of a quota."""
    return [
        part
        for part in every
        if part.accelerator == quota.accelerator
        and quota.pool in (None, part.pool)
        and (quota.lane or "") == part.lane
        and (part.scheduler == quota.scheduler if quota.scheduler else not part.moved)
    ]
