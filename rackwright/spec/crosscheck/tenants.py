"""Tenants: names that differ, and quotas that the accelerators of the site can keep."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.capacity import PoolPart, of_quota, overfull_pools, parts
from rackwright.model.site import Site
from rackwright.model.tenancy import Quota, Tenant
from rackwright.spec.crosscheck.names import duplicates
from rackwright.spec.crosscheck.problem import problem, unknown_name


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every quota by itself, then all of them against the capacity that they share."""
    yield from duplicates("tenants", "name", [tenant.name for tenant in site.tenants])
    yield from _object_names(site)
    every = parts(site, catalog.servers, catalog.accelerators)
    for i, tenant in enumerate(site.tenants):
        yield from _members(f"tenants[{i}].members", tenant)
        earlier: dict[tuple[str | None, ...], int] = {}
        for j, quota in enumerate(tenant.quota):
            path = f"tenants[{i}].quota[{j}]"
            yield from _quota(path, quota, site, every)
            first = earlier.setdefault((quota.accelerator, quota.pool, quota.lane, quota.scheduler), j)
            if first != j:
                message, also = (
                    "two quotas are for the same accelerators",
                    f"tenants[{i}].quota[{first}] is for them too",
                )
                yield problem(path, "duplicate_quota", message, "one quota for each", also, "add them up into one")
    for part in every:
        if part.pool not in overfull_pools(site):
            quotas = _quotas_in(part, site, every)
            yield from _sum(part, quotas)
            if part.scheduler == "kubernetes" and site.queued:
                yield from _lent(part, quotas)


def _object_names(site: Site) -> Iterator[Problem]:
    """Names of the site and of pools that become names of objects in Kubernetes (RFC 1123)."""
    if not (site.tenants or site.classes):
        return
    pools = [
        (f"pools[{i}].name", pool.name)
        for i, pool in enumerate(site.pools)
        if "kubernetes" in pool.nodes_by_scheduler()
    ]
    for path, name in [("site", site.site), *pools] if pools else []:
        if name.endswith("-"):
            message, expected = "no object of Kubernetes can have this name", "a name without a hyphen at its end"
            yield problem(path, "not_dns", message, expected, name, "rename it")


def _members(path: str, tenant: Tenant) -> Iterator[Problem]:
    yield from duplicates(f"{path}.users", "", tenant.members.users)
    yield from duplicates(f"{path}.groups", "", tenant.members.groups)


def _quota(path: str, quota: Quota, site: Site, every: list[PoolPart]) -> Iterator[Problem]:
    """Names, then numbers: a quota must mean one part of the site, which a scheduler gives to jobs."""
    skus = list(dict.fromkeys(part.accelerator for part in every))
    if quota.accelerator not in skus:
        yield from unknown_name(f"{path}.accelerator", "accelerator", quota.accelerator, skus)
        return
    if quota.pool is not None:
        pools = [part.pool for part in every if part.accelerator == quota.accelerator and not part.lane]
        if quota.pool not in pools:
            yield from unknown_name(f"{path}.pool", "pool", quota.pool, pools)
            return
    fitting = of_quota(quota, every)
    if not fitting and of_quota(quota.model_copy(update={"scheduler": None}), every):
        message = f"no such accelerators belong to {quota.scheduler}"
        if quota.lane:
            message = f"lanes are of nodes that have the scheduler of their pool; {message} in lane {quota.lane}"
        step = "correct it, or leave scheduler out"
        expected = "the scheduler of nodes with them (pools.scheduler, pools.schedulers)"
        yield problem(f"{path}.scheduler", "other_scheduler", message, expected, str(quota.scheduler), step)
    elif not fitting:
        lanes = [lane.name for lane in site.policies.lanes if quota.pool in (None, lane.pool)]
        yield from unknown_name(f"{path}.lane", "lane", str(quota.lane), lanes)
    elif len(fitting) > 1:
        names = ", ".join(part.pool for part in fitting)
        message, step = f"several pools have {quota.accelerator}", "name the pool; give each of them a quota of its own"
        yield problem(path, "ambiguous_quota", message, "the pool that the quota is in", f"pools {names}", step)
    elif fitting[0].pool not in overfull_pools(site):
        yield from _amounts(path, quota, fitting[0])


def _amounts(path: str, quota: Quota, part: PoolPart) -> Iterator[Problem]:
    if part.scheduler == "none":
        message, step = f"no scheduler gives away the accelerators of pool {part.pool}", "remove the quota"
        yield problem(path, "no_scheduler", message, "a pool of slurm or kubernetes", "scheduler none", step)
    if quota.lend is not None and quota.lend > quota.accelerators:
        message, expected = "lends more than it has", f"at most {quota.accelerators}"
        yield problem(f"{path}.lend", "lends_too_much", message, expected, str(quota.lend), "lower it, or leave it out")
    rest = part.available - quota.accelerators
    if 0 <= rest < quota.borrow:  # a quota that is above what there is has a problem of its own
        message, expected = "borrows more than anybody else can have", f"at most {rest}: {_room(part)}, less its own"
        yield problem(f"{path}.borrow", "borrows_too_much", message, expected, str(quota.borrow), "lower it")


def _quotas_in(part: PoolPart, site: Site, every: list[PoolPart]) -> list[tuple[str, str, Quota]]:
    """Field, tenant and quota of every quota that is in `part`."""
    return [
        (f"tenants[{i}].quota[{j}]", tenant.name, quota)
        for i, tenant in enumerate(site.tenants)
        for j, quota in enumerate(tenant.quota)
        if of_quota(quota, every) == [part]
    ]


def _sum(part: PoolPart, quotas: list[tuple[str, str, Quota]]) -> Iterator[Problem]:
    """Quotas that promise more than there is; reported at one that is too large by itself, else at the last of them."""
    total = sum(quota.accelerators for _, _, quota in quotas)
    if total > part.available:
        shares = ", ".join(f"{name} {quota.accelerators}" for _, name, quota in quotas)
        message = f"quotas promise more of {part.accelerator} than {_place(part)} has"
        step = "lower a quota and let its tenant borrow, or add nodes"
        path = next((at for at, _, quota in quotas if quota.accelerators > part.available), quotas[-1][0])
        yield problem(
            f"{path}.accelerators",
            "quota_above_capacity",
            message,
            f"at most {_room(part)}",
            f"{total}: {shares}",
            step,
        )


def _lent(part: PoolPart, quotas: list[tuple[str, str, Quota]]) -> Iterator[Problem]:
    """What a tenant borrows comes out of the quotas of others, as far as they lend them: never out of what no quota gives away.

    Source: sigs.k8s.io/kueue v0.14.0, pkg/cache/scheduler/resource_node.go (potentialAvailable, localQuota).
    """
    for path, _, quota in quotas:
        tenant = path.partition(".")[0]
        lenders = {
            name: _lends(lender)
            for place, name, lender in quotas
            if not place.startswith(f"{tenant}.") and _lends(lender)
        }
        room = part.available - quota.accelerators
        if sum(lenders.values()) < quota.borrow <= room:
            shares = ", ".join(f"{name} {count}" for name, count in lenders.items())
            message, expected = (
                "borrows more than other tenants lend",
                f"at most {sum(lenders.values())} in {_place(part)}",
            )
            step = "lower it, let others lend more, or give idle accelerators to a quota"
            expected += f": {shares}" if shares else ": nobody else has a quota there that lends"
            yield problem(f"{path}.borrow", "borrows_unlent", message, expected, str(quota.borrow), step)


def _lends(quota: Quota) -> int:
    return quota.accelerators if quota.lend is None else min(quota.lend, quota.accelerators)


def _place(part: PoolPart) -> str:
    if part.moved:
        return f"{part.scheduler} in pool {part.pool}"
    return f"lane {part.lane} of pool {part.pool}" if part.lane else f"pool {part.pool}"


def _room(part: PoolPart) -> str:
    reserved = f", {part.reserved} of them reserved" if part.reserved else ""
    return f"{part.available} in {_place(part)} ({part.nodes} nodes of {part.per_node}{reserved})"
