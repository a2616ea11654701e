"""Classes of jobs: existing names, consistent numbers, and a tenant with a large enough quota.

Whether a job of a class can be placed is proven on the design (``rackwright.locality.gangs``).
"""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.capacity import PoolPart, of_class, of_quota, overfull_pools, parts
from rackwright.model.site import Site
from rackwright.model.tenancy import JobClass, JobShape
from rackwright.spec.crosscheck.names import duplicates
from rackwright.spec.crosscheck.problem import problem, unknown_name


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every class."""
    yield from duplicates("classes", "name", [job.name for job in site.classes])
    every = parts(site, catalog.servers, catalog.accelerators)
    for i, job in enumerate(site.classes):
        path = f"classes[{i}]"
        wrong_names = list(_names(path, job, site, every))
        yield from wrong_names
        numbers = list(_numbers(path, job))
        yield from numbers
        yield from _policies(path, job, site)
        if not wrong_names and not numbers and not overfull_pools(site):
            yield from _quotas(path, job, site, every)


def _names(path: str, job: JobClass, site: Site, every: list[PoolPart]) -> Iterator[Problem]:
    tenants = [tenant.name for tenant in site.tenants]
    for j, name in enumerate(job.tenants):
        yield from unknown_name(f"{path}.tenants[{j}]", "tenant", name, tenants)
    pools = list(dict.fromkeys(part.pool for part in every))
    for j, name in enumerate(job.pools):
        yield from unknown_name(f"{path}.pools[{j}]", "pool", name, pools)
    if job.workload is not None:
        yield from unknown_name(f"{path}.workload", "workload", job.workload, [w.name for w in site.workloads])
    yield from duplicates(f"{path}.tenants", "", job.tenants)
    yield from duplicates(f"{path}.pools", "", job.pools)
    if not every:
        message, step = "no pool has accelerators", "remove the class, or add a pool"
        yield problem(path, "no_accelerators", message, "a pool with accelerators", job.name, step)


def _numbers(path: str, job: JobClass) -> Iterator[Problem]:
    if job.most < job.minimum:
        message, expected = "the largest job is smaller than the smallest", f"at least {job.minimum}"
        yield problem(
            f"{path}.maximum", "contradiction", message, expected, str(job.most), "raise it, or lower minimum"
        )
    for j, shape in enumerate(job.shapes):
        yield from _shape(f"{path}.shapes[{j}]", shape, job)


def _shape(path: str, shape: JobShape, job: JobClass) -> Iterator[Problem]:
    if job.minimum <= job.most and not job.minimum <= shape.accelerators <= job.most:
        message = f"a job of shape {shape} is outside what the class allows"
        expected, step = f"{job.minimum} to {job.most} accelerators", "change a degree, minimum or maximum"
        yield problem(path, "shape_outside", message, expected, f"{shape.accelerators} accelerators", step)
    ranks = shape.tensor * shape.context * shape.data
    if ranks % shape.expert:
        message = "groups of experts do not divide the copies of the model"
        expected, step = f"a divisor of tensor x context x data = {ranks}", "choose another degree"
        yield problem(f"{path}.expert", "expert_degree", message, expected, str(shape.expert), step)


def _policies(path: str, job: JobClass, site: Site) -> Iterator[Problem]:
    if job.latency is not None and job.kind != "online-inference":
        message, step = "only requests to a served model have a latency", "remove it, or make the kind online-inference"
        yield problem(f"{path}.latency", "of_no_use", message, "no such key", f"kind {job.kind}", step)
    if job.checkpoint is not None and job.checkpoint.interval_minutes is None:
        of_jobs = next((workload for workload in site.workloads if workload.name == job.workload), None)
        if of_jobs is None or of_jobs.checkpoint is None:
            actual = "no workload" if of_jobs is None else f"workload {of_jobs.name} without a checkpoint"
            step = "give interval_minutes, or name a workload that has a checkpoint"
            message = "nothing says how often checkpoints are written"
            yield problem(f"{path}.checkpoint", "no_interval", message, "interval_minutes", actual, step)


def _quotas(path: str, job: JobClass, site: Site, every: list[PoolPart]) -> Iterator[Problem]:
    """Jobs larger than every quota of their tenants: they would wait forever."""
    tenants = [tenant for tenant in site.tenants if not job.tenants or tenant.name in job.tenants]
    if not tenants or not all(of_quota(quota, every) for tenant in tenants for quota in tenant.quota):
        return  # a quota of what there is not has a problem of its own
    places = of_class(job, site, every)
    most = {
        tenant.name: max(
            (
                quota.accelerators + (quota.borrow if job.preemptible else 0)
                for quota in tenant.quota
                for part in of_quota(quota, every)
                if part in places
            ),
            default=0,
        )
        for tenant in tenants
    }
    where = ", ".join(part.name for part in places) or "no pool"
    actual = f"in {where}: " + ", ".join(f"{name} {most[name]}" for name in most)
    step = "raise a quota, or lower the number" + ("" if job.preemptible else "; only preemptible jobs borrow")
    for name, size in (("minimum", job.minimum), ("maximum", job.most)):
        if max(most.values()) < size:
            message = f"no tenant of class {job.name} may use so many accelerators in one pool"
            expected = f"a quota{' with what it may borrow' if job.preemptible else ''} of at least {size}"
            yield problem(f"{path}.{name}", "above_quotas", message, expected, actual, step)
            return
