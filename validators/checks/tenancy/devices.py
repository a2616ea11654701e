"""Every pod sees the accelerators that it was given, and no others."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import tenancy
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tenancy import PodDevices, TenantWalls
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: TenantWalls) -> Finding:
    """Judge the pods on this node: each sees as many devices as it requested, and none that another pod has."""
    pods = [pod for pod in record.pods if pod.node == expectation.node.name]
    owners = {device: pod.tenant for pod in pods if pod.requested for device in pod.devices}
    tried = {(pod.tenant, bool(pod.requested)) for pod in pods}
    readings: dict[str, str | None] = {
        f"pod of {tenant} with{'' if some else 'out'} accelerators": None
        for tenant in expectation.tenants
        for some in (True, False)
        if (tenant, some) not in tried
    }
    readings |= {f"pod of {pod.tenant} with {pod.requested}": _visible(pod, owners) for pod in pods}
    return compare.every(
        expectation,
        readings,
        lambda answer: answer == "its own",
        what="accelerators that tenants see,",
        expected="those that each pod asked for",
        source=tenancy.SOURCE,
    )


def _visible(pod: PodDevices, owners: Mapping[str, str]) -> str:
    foreign = [
        f"{device} of {owners[device]}" for device in pod.devices if owners.get(device, pod.tenant) != pod.tenant
    ]
    if foreign:
        return f"sees {', '.join(foreign)}"
    return "its own" if len(pod.devices) == pod.requested else f"sees {', '.join(pod.devices) or 'none'}"


CHECK = Check(reads=TenantWalls, judge=judge, applies=tenancy.is_shared)
