"""No pod of a tenant reaches a pod of another tenant."""

from rackwright import compare
from rackwright.compare import tenancy
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tenancy import TenantWalls
from rackwright.model.verdict import Finding

KEPT_OUT = "kept out"


def judge(expectation: Expectation, record: TenantWalls) -> Finding:
    """Judge every pair of tenants towards the pods on this node; a pod that its own tenant cannot reach either proves
    nothing.
    """
    near = [reach for reach in record.reaches if reach.at == expectation.node.name]
    heard = {reach.of for reach in near if reach.tenant == reach.of and reach.reached}
    readings: dict[str, str | None] = {
        f"{tenant} to {neighbour}": None
        for tenant in expectation.tenants
        for neighbour in expectation.tenants
        if tenant != neighbour
    }
    for reach in near:
        if reach.tenant != reach.of:
            readings.pop(f"{reach.tenant} to {reach.of}", None)
            proven = reach.reached or reach.of in heard
            answer = "reached" if reach.reached else KEPT_OUT
            readings[f"{reach.tenant} on {reach.node} to {reach.of}"] = answer if proven else None
    return compare.every(
        expectation,
        readings,
        lambda answer: answer == KEPT_OUT,
        what="between tenants,",
        expected="pods that their own tenant alone reaches",
        source=tenancy.SOURCE,
    )


CHECK = Check(reads=TenantWalls, judge=judge, applies=tenancy.is_shared)
