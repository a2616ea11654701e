"""Storage tiers and workloads: names that exist, jobs that fit their pools, figures that can be derived.

The design rules judge what a tier or fabric can carry.
"""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog, workloads
from rackwright.model.site import Pool, Site
from rackwright.model.workload import Loader, StorageTier, Workload
from rackwright.spec.crosscheck.names import CONTROL_ROLES, RACK_GROUPS
from rackwright.spec.crosscheck.problem import problem, unknown_name


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every tier, then every workload."""
    for i, tier in enumerate(site.storage):
        yield from _tier(f"storage[{i}]", tier, site, catalog)
    first: dict[str, int] = {}
    for i, workload in enumerate(site.workloads):
        path = f"workloads[{i}]"
        if workload.name in first:
            also = f"workloads[{first[workload.name]}] has it too"
            message = f"the name {workload.name} stands twice"
            yield problem(f"{path}.name", "duplicate_name", message, "every name once", also, "rename one")
        first.setdefault(workload.name, i)
        yield from _workload(path, workload, site, catalog)


def _tier(path: str, tier: StorageTier, site: Site, catalog: Catalog) -> Iterator[Problem]:
    local = tier.tier == "local"
    if tier.fabric is not None:
        if local:
            message, step = f"local tier {tier.name} is reached over no fabric", "take fabric out"
            yield problem(f"{path}.fabric", "local_tier", message, "no such key", tier.fabric, step)
        else:
            yield from unknown_name(f"{path}.fabric", "fabric", tier.fabric, [fabric.name for fabric in site.fabrics])
    if tier.servers is not None:
        yield from _own_name(f"{path}.name", tier, site)
        if local:
            message, step = f"local tier {tier.name} has no servers of its own", "take servers out"
            yield problem(f"{path}.servers", "local_tier", message, "no such key", tier.servers.server, step)
        else:
            yield from _servers(path, tier.servers.server, catalog)
    if local and not any(_drives(pool, catalog) for pool in site.pools):
        message = f"tier {tier.name} is local, and no pool has local drives"
        step = "choose a server with local_storage, or another tier"
        expected = "a pool of servers with local_storage"
        servers = ", ".join(sorted({pool.server for pool in site.pools}))
        yield problem(f"{path}.tier", "no_local_drives", message, expected, servers, step)


def _own_name(path: str, tier: StorageTier, site: Site) -> Iterator[Problem]:
    """Servers and racks of a tier are called after it."""
    used_names = [*(pool.name for pool in site.pools), *CONTROL_ROLES, *RACK_GROUPS]
    if tier.name in used_names:
        message = f"servers of tier {tier.name} would have the names of something else"
        expected = f"a name other than {', '.join(used_names)}"
        yield problem(path, "reserved_name", message, expected, tier.name, "rename the tier, and the workloads' tier")


def _servers(path: str, sku: str, catalog: Catalog) -> Iterator[Problem]:
    server = catalog.servers.get(sku)
    able = sorted(candidate.sku for candidate in catalog.servers.values() if candidate.storage)
    if server is None:
        yield from unknown_name(f"{path}.servers.server", "server", sku, able)
    elif server.storage is None:
        expected = f"one of {', '.join(able)}" if able else "a server with a storage promise"
        step = "choose a storage server, or declare one with a storage promise under catalog"
        message = f"{sku} states no storage promise"
        yield problem(f"{path}.servers.server", "no_storage_promise", message, expected, sku, step)


def _workload(path: str, workload: Workload, site: Site, catalog: Catalog) -> Iterator[Problem]:
    pool = next((candidate for candidate in site.pools if candidate.name == workload.pool), None)
    if pool is None:
        yield from unknown_name(f"{path}.pool", "pool", workload.pool, [candidate.name for candidate in site.pools])
    elif workload.nodes is not None and workload.nodes > pool.count:
        message = f"a job of {workload.name} has more nodes than pool {pool.name}"
        step = "lower nodes, or leave it out for the whole pool"
        expected, actual = f"at most {pool.count} nodes", str(workload.nodes)
        yield problem(f"{path}.nodes", "too_many_nodes", message, expected, actual, step)
    tiers = [tier.name for tier in site.storage]
    if workload.checkpoint:
        yield from unknown_name(f"{path}.checkpoint.tier", "storage tier", workload.checkpoint.tier, tiers)
        yield from _reads_local(f"{path}.checkpoint.tier", workload.checkpoint.tier, pool, site, catalog)
    if workload.loader:
        yield from unknown_name(f"{path}.loader.tier", "storage tier", workload.loader.tier, tiers)
        yield from _reads_local(f"{path}.loader.tier", workload.loader.tier, pool, site, catalog)
        yield from _loader(f"{path}.loader", workload.loader, site)


def _loader(path: str, loader: Loader, site: Site) -> Iterator[Problem]:
    profiles = [entry.profile for entry in workloads.load().loaders]
    rate, profile = loader.gbytes_per_s_per_accelerator, loader.profile
    if rate is None and profile is None:
        message, step = "nothing says how fast the loader reads", "name a profile, or give gbytes_per_s_per_accelerator"
        expected = f"profile (one of {', '.join(profiles)}) or gbytes_per_s_per_accelerator"
        yield problem(path, "no_loader_rate", message, expected, "neither", step)
    elif profile is not None:
        yield from unknown_name(f"{path}.profile", "loader profile", profile, profiles)
    if rate is not None and profile is not None:
        message, step = "two figures say how fast the loader reads", "keep one of them"
        actual = f"profile {profile} and {rate:g} GB/s"
        yield problem(path, "two_loader_rates", message, "profile or gbytes_per_s_per_accelerator", actual, step)
    if loader.filled_from is not None:
        shared = [tier.name for tier in site.storage if tier.tier != "local"]
        yield from unknown_name(f"{path}.filled_from", "shared storage tier", loader.filled_from, shared)
        if loader.tier in shared:
            message = f"tier {loader.tier} is shared, and no cache that is filled"
            expected, step = "a loader that reads a local tier", "remove filled_from, or read a tier of kind local"
            yield problem(f"{path}.filled_from", "unused_key", message, expected, f"tier {loader.tier}", step)


def _reads_local(path: str, name: str, pool: Pool | None, site: Site, catalog: Catalog) -> Iterator[Problem]:
    """True when the pool has local drives, or its server is unknown, which another check reports."""
    tier = next((candidate for candidate in site.storage if candidate.name == name), None)
    if tier is None or tier.tier != "local" or pool is None or _drives(pool, catalog):
        return
    message = f"tier {name} is local, and servers of pool {pool.name} have no local drives"
    step = "choose a shared tier, or a server with local_storage"
    yield problem(path, "no_local_drives", message, "a server with local_storage", pool.server, step)


def _drives(pool: Pool, catalog: Catalog) -> bool:
    """True when the pool has local drives, or its server is unknown, which another check reports."""
    server = catalog.servers.get(pool.server)
    return server is None or server.local_storage is not None
