"""Every accelerator is in the compute mode that the scheduler counts on."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the mode of every accelerator with the limits row."""
    row = compare.limit(expectation, "gpu.compute_mode")
    if row is None:
        return compare.no_limit(expectation, "gpu.compute_mode")
    wanted = compare.words(row)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: device.compute_mode),
        lambda mode: mode in wanted,
        what="compute mode",
        expected=" or ".join(wanted),
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's library tells."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
