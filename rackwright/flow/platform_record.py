"""Builds the platform's part of the report, and stores it in the workspace until the report is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError
from rackwright.base.workspace import Workspace
from rackwright.compat import kubernetes_lock
from rackwright.model.capacity import classes_in, parts
from rackwright.model.control import Kubernetes
from rackwright.model.design import Design
from rackwright.model.platform_record import PlatformQueue, PlatformRecord, PlatformTenant, ServedComponent
from rackwright.platform.object import QUEUES, Object
from rackwright.platform.stack_plan import StackPlan
from rackwright.platform.tenants import ROLE, most_by_tenant
from rackwright.provision.result import PlatformResult

FILE = "platform.json"
OF_KUBERNETES = "Kubernetes"


def platform_record(design: Design, plan: StackPlan, result: PlatformResult, run: str) -> PlatformRecord:
    """The record of a successful run of the stack."""
    missing = set(result.missing_nodes)
    return PlatformRecord(
        kubernetes=result.kubernetes,
        run=run,
        objects=len(result.objects),
        nodes=[entry["metadata"]["name"] for entry in plan.nodes() if entry["metadata"]["name"] not in missing],
        waited_for=[f"{subject.kind} {subject.name}" for subject in plan.accepted],
        components=list(_components(design, plan)),
        queues=list(_queues(plan.objects())),
        tenants=list(_tenants(design, plan.objects())),
    )


def store(workspace: Workspace, record: PlatformRecord) -> None:
    """Store the record for the next report."""
    replace_file(workspace.path / FILE, record.model_dump_json(indent=1) + "\n")


def forget(workspace: Workspace) -> None:
    """Remove the record: a new cluster has nothing of it."""
    (workspace.path / FILE).unlink(missing_ok=True)


def load(workspace: Workspace) -> PlatformRecord | None:
    """The newest record; None if no stack was applied from here. OutsideError for a malformed file."""
    path = workspace.path / FILE
    try:
        return PlatformRecord.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        line = str(error).splitlines()[0]
        raise OutsideError(f"{path} cannot be read ({line}): run `rackwright up SITE --stack platform` again") from None


def _components(design: Design, plan: StackPlan) -> Iterator[ServedComponent]:
    """Components with the kinds of objects that they serve, then the others that the site declares.

    The release of a component is that of the site, otherwise that of the lock.
    """
    lock, control = kubernetes_lock.load(), design.site.control.kubernetes
    kinds: dict[str, dict[str, None]] = {}
    for entry in plan.objects():
        component = lock.serving(entry["apiVersion"], entry["kind"])
        served = kinds.setdefault(component.name if component else OF_KUBERNETES, {})
        served[f"{entry['kind']} {entry['apiVersion']}"] = None
    for name, served in kinds.items():
        locked = lock.by_name().get(name)
        version = (control.addon_version(name) if control else "") or (locked.version if locked else "")
        yield ServedComponent(name=name, version=version, serves=list(served), unproven=_unproven(name))
    for name, version in _declared(control):
        if name not in kinds:
            yield ServedComponent(name=name, version=version, serves=[], unproven=_unproven(name))


def _unproven(name: str) -> str:
    locked = kubernetes_lock.load().by_name().get(name)
    return locked.unrendered if locked else ""


def _declared(control: Kubernetes | None) -> Iterator[tuple[str, str]]:
    """The network plug-in and the add-ons that are on, with their releases."""
    if control is None:
        return
    if control.network:
        yield control.network.plugin, control.network.version
    for name in control.addons:
        if version := control.addon_version(name):
            yield name, version


def _queues(objects: Iterable[Object]) -> Iterator[PlatformQueue]:
    entries = list(objects)
    takes: dict[str, list[str]] = {}
    for entry in entries:
        for queue in filter(None, entry["metadata"].get("annotations", {}).get(QUEUES, "").split(",")):
            takes.setdefault(queue, []).append(entry["metadata"]["name"])
    quotas = {entry["metadata"]["name"]: _quota(entry) for entry in entries if entry["kind"] == "ClusterQueue"}
    for entry in entries:
        if entry["kind"] == "LocalQueue":
            name = f"{entry['metadata']['namespace']}/{entry['metadata']['name']}"
            quota = quotas.get(entry["spec"]["clusterQueue"], "")
            yield PlatformQueue(name=name, quota=quota, takes=takes.get(name, []))


def _quota(queue: Object) -> str:
    """The quota of each flavor, in words: what it always has, and what it may borrow."""
    return "; ".join(
        f"{resource['nominalQuota']} {resource['name']} of {flavor['name']}"
        + (f", up to {resource['borrowingLimit']} more borrowed" if resource["borrowingLimit"] != "0" else "")
        for group in queue["spec"]["resourceGroups"]
        for flavor in group["flavors"]
        for resource in flavor["resources"]
    )


def _tenants(design: Design, objects: Iterable[Object]) -> Iterator[PlatformTenant]:
    most = most_by_tenant(objects)
    scheduled = parts(design.site, design.servers, design.accelerators, "kubernetes")
    here = classes_in(design.site, scheduled)
    for tenant in design.site.tenants:
        members = [f"user {name}" for name in tenant.members.users]
        members += [f"group {name}" for name in tenant.members.groups]
        role = ROLE if members else ""
        classes = [job.name for job in here if not job.tenants or tenant.name in job.tenants]
        yield PlatformTenant(
            name=tenant.name, members=members, role=role, most=most.get(tenant.name, {}), classes=classes
        )
