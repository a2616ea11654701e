"""Every part that must have the driver's version has it."""

from rackwright import compare
from rackwright.compare.threshold import equal_to, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.host import Packages


def applies(expectation: Expectation) -> bool:
    """Nodes with NVIDIA's driver, whose parts refuse each other if their versions differ."""
    return compare.has_accelerators(expectation) and bool(expectation.software.driver)


CHECK = threshold(
    reads=Packages,
    metric="software.driver_parts",
    readings=lambda _, packages, names: compare.coupled_versions(packages, names),
    required=lambda expectation: expectation.software.driver,
    good=equal_to,
    what="parts of the driver:",
    expected="{bound} on all",
    source="site software.driver",
    applies=applies,
)
