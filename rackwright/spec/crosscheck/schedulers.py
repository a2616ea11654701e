"""The control plane of Slurm: shared state of its controllers, and names of its partitions."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

SHARED = "slurm_config_state_shared"
"""Option of the role ``slurm_config``: the state folder lies on storage that all controllers share."""


def check(site: Site, _catalog: Catalog) -> Iterator[Problem]:
    """A second controller takes over from the state folder of the first, so both must reach it; partitions have names of their own."""
    yield from _partitions(site)
    slurm = site.control.slurm
    if slurm is None or slurm.controllers.count < 2 or site.software.options.get(SHARED) is True:
        return
    expected = f"one controller, or software.options.{SHARED}: true"
    step = f"lower the count to 1, or mount one state folder on all controllers and set software.options.{SHARED}"
    message = "a second Slurm controller needs the state of the first, and nothing here provides shared storage for it"
    yield problem(
        "control.slurm.controllers.count", "no_shared_state", message, expected, str(slurm.controllers.count), step
    )


def _partitions(site: Site) -> Iterator[Problem]:
    """Each pool has a partition, and the default one has all nodes: two of one name would be one in slurm.conf."""
    first: dict[str, str] = {}
    for i, pool in enumerate(site.pools):
        path = f"pools[{i}].partition"
        if pool.scheduler != "slurm":
            if pool.partition:
                message, expected = f"pool {pool.name} is not scheduled by Slurm", "no partition"
                yield problem(path, "of_no_use", message, expected, pool.partition, "leave it out")
            continue
        name = pool.slurm_partition
        if name in first:
            message = f"pools {first[name]} and {pool.name} have one Slurm partition"
            step = "give one of them another partition"
            yield problem(path, "duplicate_partition", message, "a partition for each pool", name, step)
        first.setdefault(name, pool.name)
    default = site.default_partition
    if default in first and len(first) > 1:
        message = f"the default partition has all nodes, and pool {first[default]} has one of that name for its own"
        step = "give control.slurm.partition another name, or leave it out (all)"
        yield problem("control.slurm.partition", "duplicate_partition", message, "a name of no pool", default, step)
