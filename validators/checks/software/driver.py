"""The loaded accelerator driver is the declared version."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the version that the library reports, which is the loaded one, with the software bill."""
    return compare.equal(
        expectation,
        seen.driver_version or None,
        expectation.software.driver,
        what="loaded driver",
        source="site software.driver",
    )


CHECK = Check(title="Driver version", reads=Accelerators, judge=judge, applies=compare.has_accelerators)
