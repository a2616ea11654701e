"""The installed nvbandwidth is the declared version."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Packages
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Packages) -> Finding:
    """Compare the version of the installed package with the software bill."""
    return compare.bill_version(expectation, record, "nvbandwidth", expectation.software.nvbandwidth)


def applies(expectation: Expectation) -> bool:
    """Nodes whose bill declares it."""
    return compare.has_accelerators(expectation) and bool(expectation.software.nvbandwidth)


CHECK = Check(reads=Packages, judge=judge, applies=applies)
