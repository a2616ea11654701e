"""No accelerator's host link has repeated more packets than the limit."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the replay counter of every accelerator with the limit."""
    row = compare.limit(expectation, "pcie.replays")
    if row is None:
        return compare.no_limit(expectation, "pcie.replays")
    most = compare.number(row)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: device.pcie_replays),
        lambda count: count <= most,
        what="PCIe replays",
        expected=f"at most {most:g}",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's library counts them; errors of other links stand in the kernel log (`pcie.aer`)."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
