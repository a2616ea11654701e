"""No pod of a tenant takes the priority of a class that is not its own."""

from rackwright.compare import tenancy
from rackwright.model.check import Check
from rackwright.model.evidence.tenancy import TenantWalls

CHECK = Check(
    reads=TenantWalls,
    judge=tenancy.refused(
        "class",
        "exceeded quota: foreign-classes",
        "names a class of other tenants",
        what="pods of a foreign class,",
        expected="a refusal by the quota of foreign classes, or by the policy of queues",
    ),
    applies=tenancy.is_shared,
)
