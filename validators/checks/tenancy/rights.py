"""No member of a tenant makes pods in the namespace of another."""

from rackwright.compare import tenancy
from rackwright.model.check import Check
from rackwright.model.evidence.tenancy import TenantWalls

CHECK = Check(
    reads=TenantWalls,
    judge=tenancy.refused(
        "namespace",
        "is forbidden: User",
        what="pods in a foreign namespace,",
        expected="a refusal for want of rights",
    ),
    applies=tenancy.is_shared,
)
