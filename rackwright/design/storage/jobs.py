"""How many jobs of a class run at once and how large each is; independent of storage."""

from __future__ import annotations

from rackwright.model.site import Pool, Site
from rackwright.model.workload import Workload


def pool_of(site: Site, workload: Workload) -> Pool:
    """The pool that `workload` runs on; a valid site has it."""
    return next(pool for pool in site.pools if pool.name == workload.pool)


def job_nodes(site: Site, workload: Workload) -> int:
    """Nodes of one job: as declared, else the whole pool."""
    return workload.nodes or pool_of(site, workload).count


def job_count(site: Site, workload: Workload) -> int:
    """Jobs of the class that fill its pool; at least one."""
    return max(pool_of(site, workload).count // job_nodes(site, workload), 1)
