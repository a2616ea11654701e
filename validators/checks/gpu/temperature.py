"""No idle accelerator is hotter than the limit."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the temperature of every accelerator with the limit."""
    row = compare.limit(expectation, "gpu.idle_celsius")
    if row is None:
        return compare.no_limit(expectation, "gpu.idle_celsius")
    bound = compare.number(row)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: compare.positive(device.temperature_celsius)),
        lambda found: found <= bound,
        what="temperature in degrees Celsius",
        expected=f"at most {bound:g} at idle",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """The public forms of the tools of Biren and Cambricon that are read show no temperature."""
    silent = ("biren", "cambricon")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor not in silent


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
