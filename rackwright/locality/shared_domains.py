"""Checks that nodes joined by NVLink have one scheduler: IMEX runs for the whole domain, on every node under Slurm and
per job under Kubernetes.
"""

from __future__ import annotations

import polars as pl

from rackwright.base.errors import Problem
from rackwright.locality import groups
from rackwright.model.design import Design


def problems(design: Design) -> list[Problem]:
    """A problem for every pool with an NVLink domain that two schedulers would share."""
    pools = [pool.name for pool in design.site.pools if pool.schedulers]
    if not pools:
        return []
    nodes = groups.locality(design, pools, groups.default_fabrics(design)).nodes.drop_nulls("domain")
    nodes = nodes.join(design.node_table.select("node", "scheduler"), on="node", how="left", maintain_order="left")
    shared = nodes.filter(pl.col("scheduler").n_unique().over("domain") > 1)
    names = [pool.name for pool in design.site.pools]
    return [
        Problem(
            place="site",
            path=f"pools[{names.index(pool)}].schedulers",
            message=f"nodes of pool {pool} that NVLink joins would have two schedulers",
            expected="whole NVLink domains, whose nodes start IMEX in one way",
            found=f"{', '.join(dict.fromkeys(rows['domain']))} with nodes of {' and '.join(dict.fromkeys(rows['scheduler']))}",
            next_step="name all nodes of the domain, or none",
            code="design.shared_domain",
        )
        for (pool,), rows in shared.group_by("pool", maintain_order=True)
    ]
