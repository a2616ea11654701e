"""No systemd unit has failed."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import SystemdUnits
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: SystemdUnits) -> Finding:
    """Name every unit in state failed."""
    return compare.every(
        expectation,
        dict.fromkeys(record.failed, "failed") or {"units": "none failed"},
        lambda state: state != "failed",
        what="units:",
        expected="none failed",
        source="systemd, systemctl(1)",
    )


CHECK = Check(reads=SystemdUnits, judge=judge, applies=compare.is_onboarded)
