"""The vendor's own tool sums up every accelerator as healthy."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the word of the tool with the one that it has for a healthy part."""
    row = compare.limit(expectation, "gpu.health")
    if row is None:
        return compare.no_limit(expectation, "gpu.health")
    wanted = compare.words(row)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: device.health),
        lambda word: word in wanted,
        what="health",
        expected=" or ".join(wanted),
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """The tools of Huawei and Cambricon have such a word."""
    vendors = ("huawei", "cambricon")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor in vendors


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
