"""No unit of systemd has failed."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Units
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Units) -> Finding:
    """Name every unit in state failed."""
    return compare.every(
        expectation,
        dict.fromkeys(seen.failed, "failed") or {"units": "none failed"},
        lambda found: found != "failed",
        what="units:",
        expected="none failed",
        source="systemd, systemctl(1)",
    )


CHECK = Check(reads=Units, judge=judge, applies=compare.is_onboarded)
