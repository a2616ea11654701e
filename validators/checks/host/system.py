"""The operating system is the declared one."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Host
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Host) -> Finding:
    """Compare distribution and release with the software bill; the bill may omit the minor release."""
    declared = expectation.software.system
    system = f"{record.os_id}-{record.os_version}" if record.os_id and record.os_version else None
    return compare.every(
        expectation,
        {"os-release": system},
        lambda system: system == declared or system.startswith(f"{declared}."),
        what="operating system",
        expected=declared,
        source="site software.os",
    )


CHECK = Check(reads=Host, judge=judge, applies=compare.is_onboarded)
