"""Every package of the software bill is fully installed."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Packages
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Packages) -> Finding:
    """Judge the dpkg status of each package; for rpm, packages that are present in two versions."""
    broken = {name: package.status for name, package in record.packages.items() if package.status != "installed"}
    installed = {"packages": "installed"} if record.packages else {}
    return compare.every(
        expectation,
        broken or installed,
        lambda status: status == "installed",
        what="package status:",
        expected="installed on all",
        source="dpkg-query(1), status of a package; dnf(8), check --duplicates",
    )


CHECK = Check(reads=Packages, judge=judge, applies=compare.has_accelerators)
