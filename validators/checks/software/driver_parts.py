"""Every part that must have the driver's version has it."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Packages
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Packages) -> Finding:
    """Compare the version of every package that the limits couple to the driver with the software bill."""
    row = compare.limit(expectation, "software.driver_parts")
    if row is None:
        return compare.no_limit(expectation, "software.driver_parts")
    declared = expectation.software.driver
    coupled = compare.coupled(record, compare.words(row))
    return compare.every(
        expectation,
        coupled,
        lambda version: version == declared,
        what="parts of the driver:",
        expected=f"{declared} on all",
        source=f"site software.driver; {compare.limit_source(row)}",
    )


def applies(expectation: Expectation) -> bool:
    """Only drivers of NVIDIA have parts that refuse each other."""
    return compare.has_accelerators(expectation) and bool(expectation.software.driver)


CHECK = Check(reads=Packages, judge=judge, applies=applies)
