"""The API server takes no pod above the quota of its tenant."""

from rackwright.compare import tenancy
from rackwright.model.check import Check
from rackwright.model.evidence.tenancy import TenantWalls

CHECK = Check(
    reads=TenantWalls,
    judge=tenancy.refused(
        "quota",
        "exceeded quota: accelerators",
        what="pods above the quota,",
        expected="a refusal by the quota",
    ),
    applies=tenancy.is_shared,
)
