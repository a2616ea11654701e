"""Models that classes serve: kinds, components and shapes that vLLM's chart can run, and accelerators for every replica."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.capacity import PoolPart, of_class, of_quota, overfull_pools, parts
from rackwright.model.site import Site
from rackwright.model.tenancy import JobClass, ServedModel
from rackwright.spec.crosscheck.problem import problem

LONGEST = 63
"""Characters of a label of DNS (RFC 1035, 2.3.4)."""
SUBDOMAIN = "{name}-{name}-engine-service"
"""Host name of the service of a release with its model (vllm-project/production-stack, helm/templates/deployment-vllm-multi.yaml at vllm-stack-0.1.12)."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every class that serves a model."""
    every = parts(site, catalog.servers, catalog.accelerators, "kubernetes")
    for i, job in enumerate(site.classes):
        if job.serving is None:
            continue
        path = f"classes[{i}].serving"
        problems = [*_runs(path, job, site), *_shape(path, job)]
        yield from problems
        if not problems and not overfull_pools(site):
            yield from _places(path, job, job.serving, site, every)


def _runs(path: str, job: JobClass, site: Site) -> Iterator[Problem]:
    if job.kind != "online-inference":
        message, step = "only online inference serves a model", "remove it, or make the kind online-inference"
        yield problem(path, "of_no_use", message, "no such key", f"kind {job.kind}", step)
    control = site.control.kubernetes
    needed = ["vllm-stack"]
    if control and control.addon_version("llm-d-router"):
        needed.append("gateway-api-inference-extension")
    for name in needed:
        if not (control and control.addon_version(name)):
            message = f"nothing serves the model without {name}"
            step = f"add {name} with its version to control.kubernetes.addons"
            yield problem(path, "no_component", message, f"the add-on {name}", "no such add-on", step)
    if len(job.tenants) != 1:
        message, step = (
            "nothing says in whose namespace the model is served",
            "name one tenant, or make a class for each",
        )
        yield problem(path, "no_tenant", message, "one tenant of the class", ", ".join(job.tenants) or "none", step)
    if len(host := SUBDOMAIN.format(name=job.name)) > LONGEST:
        message, step = "the host name of its service is too long", "shorten the name of the class"
        yield problem(path, "name_too_long", message, f"at most {LONGEST} characters", f"{len(host)}: {host}", step)
    if "@" not in (image := job.serving.image if job.serving else "") and ":" not in image.rpartition("/")[2]:
        message, step = "nothing says which release of the image runs", "append a tag or a digest to it"
        yield problem(f"{path}.image", "no_tag", message, "NAME:TAG", image, step)


def _shape(path: str, job: JobClass) -> Iterator[Problem]:
    """A replica is TP x PP accelerators of one pod; copies are replicas."""
    expected, actual = "one shape", f"{len(job.shapes)} shapes"
    if len(job.shapes) == 1:
        (shape,) = job.shapes
        if shape.context == shape.data == 1 and shape.expert in (1, shape.tensor):
            return
        expected, actual = "TP and PP, with experts in groups of TP or none", str(shape)
    message = "vLLM cannot be started by these shapes"
    step = "give one shape of tensor and pipeline; copies are replicas"
    yield problem(path, "shape_not_served", message, expected, actual, step)


def _places(path: str, job: JobClass, serving: ServedModel, site: Site, every: list[PoolPart]) -> Iterator[Problem]:
    places = of_class(job, site, every)
    listed = ", ".join(f"{part.name} ({part.accelerator})" for part in places) or "no nodes of Kubernetes"
    if len({part.accelerator for part in places}) != 1:
        message, step = (
            "a replica must have the same accelerators wherever it runs",
            "name one pool of Kubernetes in pools",
        )
        yield problem(path, "no_single_accelerator", message, "nodes of one kind", listed, step)
        return
    if shared := _neighbours(job, places, site, every):
        message = "other jobs would be given the accelerators of the model, which no queue counts"
        step = f"give class {job.name} a lane of its own in policies.lanes"
        yield problem(path, "not_alone", message, "a lane of its own", f"{listed} also runs {', '.join(shared)}", step)
    yield from _room(path, job, serving, site, places)


def _neighbours(job: JobClass, places: list[PoolPart], site: Site, every: list[PoolPart]) -> list[str]:
    """Other classes that may run in one of some parts, as far as they do not give way to the scheduler's priorities."""
    rest = [entry for entry in site.classes if entry is not job and (site.queued or entry.serving)]
    return [entry.name for entry in rest if any(part in places for part in of_class(entry, site, every))]


def _room(path: str, job: JobClass, serving: ServedModel, site: Site, places: list[PoolPart]) -> Iterator[Problem]:
    each = job.shapes[0].accelerators
    names = ", ".join(part.name for part in places)
    room = sum(max(part.nodes - part.reserved, 0) * (part.per_node // each) for part in places)
    if room < serving.replicas:
        message = "its replicas have no room: each lies in one node"
        step = "ask for fewer replicas, or for a shape that a node takes; or give the class more nodes"
        nodes = f"{room} of {each} accelerators in {names}"
        yield problem(f"{path}.replicas", "no_room", message, f"at most {room}", f"{serving.replicas}; {nodes}", step)
    quotas = [quota for tenant in site.tenants if tenant.name == job.tenants[0] for quota in tenant.quota]
    granted = sum(quota.accelerators for quota in quotas if any(part in places for part in of_quota(quota, places)))
    if granted < serving.replicas * each:
        message = f"tenant {job.tenants[0]} may not use so many accelerators in {names}"
        expected, actual = f"at most {granted}, its quota there", f"{serving.replicas} x {each}"
        yield problem(
            f"{path}.replicas", "above_quotas", message, expected, actual, "raise the quota, or ask for fewer"
        )
