"""Every idle accelerator may get much hotter before it slows down."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare what the accelerator itself says is left with the limit."""
    row = compare.limit(expectation, "gpu.idle_margin_kelvin")
    if row is None:
        return compare.no_limit(expectation, "gpu.idle_margin_kelvin")
    bound = compare.number(row)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: device.temperature_margin_celsius),
        lambda found: found >= bound,
        what="degrees left before it slows down",
        expected=f"at least {bound:g} at idle",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's library tells."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
