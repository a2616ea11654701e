"""Which scheduler nodes have, and the control plane of Slurm: shared state of its controllers, names of its partitions, and accelerators that it can count."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Pool, Scheduler, Site
from rackwright.spec.crosscheck.problem import problem

SHARED = "slurm_config_state_shared"
"""Option of the role ``slurm_config``: the state folder lies on storage that all controllers share."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """A second controller takes over from the state folder of the first, so both must reach it; partitions have names of their own."""
    yield from _moved(site)
    yield from _makers(site, catalog)
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


def _moved(site: Site) -> Iterator[Problem]:
    """Nodes of `schedulers`: each one of the pool, once, with another scheduler than the pool, which keeps some."""
    control = {"slurm": site.control.slurm, "kubernetes": site.control.kubernetes}
    pools = {pool.name for pool in site.pools}
    for i, pool in enumerate(site.pools):
        parts = (
            {pool.part_name(scheduler) for scheduler in (pool.scheduler, *pool.schedulers)}
            if pool.schedulers
            else set()
        )
        for name in sorted(parts & pools):
            message = f"a part of pool {pool.name} and a pool would be called the same"
            expected = f"a name other than {', '.join(sorted(parts))}"
            yield problem(
                f"pools[{i}].schedulers", "reserved_name", message, expected, f"a pool {name}", "rename that pool"
            )
        names = {pool.node_name(index) for index in range(1, pool.count + 1)} if pool.schedulers else set()
        listed: set[str] = set()
        for name, scheduler in pool.moved():
            path = f"pools[{i}].schedulers.{scheduler}"
            if name not in names:
                message, expected = (
                    f"pool {pool.name} has no node {name}",
                    f"nodes of it, {pool.node_name(1)} to {pool.node_name(pool.count)}",
                )
                yield problem(path, "unknown_node", message, expected, name, "correct it, or leave it out")
                break
            if name in listed:
                step = "name it once"
                yield problem(path, "node_twice", "a node has one scheduler", "each node once", name, step)
            listed.add(name)
        for scheduler in pool.schedulers:
            path = f"pools[{i}].schedulers.{scheduler}"
            if scheduler == pool.scheduler:
                message, step = f"nodes of pool {pool.name} have this scheduler by themselves", "leave it out"
                yield problem(path, "of_no_use", message, "another scheduler", scheduler, step)
            elif control[scheduler] is None:
                message = f"nodes of pool {pool.name} want {scheduler}, and the site has no control plane of it"
                step = f"add control.{scheduler}, or leave the nodes out"
                yield problem(path, "no_scheduler", message, f"control.{scheduler}", "no such key", step)
        if names and names <= listed:
            message, step = f"pool {pool.name} keeps no node", "give the pool another scheduler instead"
            yield problem(
                f"pools[{i}].schedulers",
                "no_node_left",
                message,
                "a node that is not named",
                f"all {pool.count} nodes",
                step,
            )


def _path(i: int, pool: Pool, scheduler: Scheduler) -> str:
    """Field that gives nodes of a pool this scheduler."""
    return f"pools[{i}].scheduler" if pool.scheduler == scheduler else f"pools[{i}].schedulers.{scheduler}"


def _makers(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Unknown makers of accelerators, and those whose accelerators Slurm cannot count."""
    for i, pool in enumerate(site.pools):
        server = catalog.servers.get(pool.server)
        accelerator = catalog.accelerators.get(server.accelerator or "") if server else None
        if accelerator is None:
            continue
        maker = catalog.vendors.get(accelerator.vendor)
        expected = ", ".join(sorted(name for name, entry in catalog.vendors.items() if entry.device_file))
        file = f"catalog/vendors/{accelerator.vendor}.yaml of the site's folder"
        if maker is None:
            message = f"nothing is known of the maker of {accelerator.sku}"
            step = f"write {file}, and name the folder in site_folder"
            yield problem(f"pools[{i}].server", "unknown_vendor", message, expected, accelerator.vendor, step)
        elif "slurm" in pool.nodes_by_scheduler() and not maker.device_file:
            message = f"Slurm cannot give away {accelerator.sku}: no device file of {maker.manufacturer} is known (gres.conf, File)"
            step = f"schedule the pool otherwise, or give device_file in {file}"
            yield problem(_path(i, pool, "slurm"), "no_gres", message, f"an accelerator of {expected}", "slurm", step)


def _partitions(site: Site) -> Iterator[Problem]:
    """Each pool has a partition, and the default one has all nodes: two of one name would be one in slurm.conf."""
    first: dict[str, str] = {}
    for i, pool in enumerate(site.pools):
        path = f"pools[{i}].partition"
        if "slurm" not in pool.nodes_by_scheduler():
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
