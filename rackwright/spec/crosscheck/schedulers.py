"""The control plane of Slurm: shared state of its controllers, names of its partitions, and accelerators that it can count."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

SHARED = "slurm_config_state_shared"
"""Option of the role ``slurm_config``: the state folder lies on storage that all controllers share."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """A second controller takes over from the state folder of the first, so both must reach it; partitions have names of their own."""
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


def _makers(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Makers of accelerators that nothing is known of, and those whose accelerators Slurm cannot count."""
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
        elif pool.scheduler == "slurm" and not maker.device_file:
            message = f"Slurm cannot give away {accelerator.sku}: no device file of {maker.manufacturer} is known (gres.conf, File)"
            step = f"schedule the pool otherwise, or give device_file in {file}"
            yield problem(f"pools[{i}].scheduler", "no_gres", message, f"an accelerator of {expected}", "slurm", step)


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
