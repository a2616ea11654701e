"""No NVLink had to train anew since its counters were cleared."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the counter of every link with the limit; fewer counters than links is no reading."""
    part = compare.accelerator(expectation)
    row = compare.limit(expectation, "nvlink.recoveries")
    if row is None:
        return compare.no_limit(expectation, "nvlink.recoveries")
    bound = compare.number(row)
    readings: dict[str, int | None] = {}
    for name, values in compare.by_device(seen, lambda device: device.nvlink_recoveries).items():
        readings |= {f"{name} NVLink {link}": value for link, value in enumerate(values)}
        if len(values) < part.nvlink_links:
            readings[f"{name} NVLinks from {len(values)}"] = None
    return compare.every(
        expectation,
        readings,
        lambda found: found <= bound,
        what="NVLink recoveries",
        expected=f"at most {bound:g}",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only parts with NVLink."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).nvlink_links > 0


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
