"""No accelerator has seen more uncorrectable errors in its caches and registers in its life than the limit."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the count of a lifetime with the limit: SRAM has no spare rows to fall back on."""
    row = compare.limit(expectation, "gpu.sram_uncorrected")
    if row is None:
        return compare.no_limit(expectation, "gpu.sram_uncorrected")
    bound = compare.number(row)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: device.ecc_uncorrected_sram),
        lambda found: found <= bound,
        what="uncorrectable SRAM errors",
        expected=f"at most {bound:g}",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's library tells."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
