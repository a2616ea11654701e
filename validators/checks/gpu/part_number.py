"""All accelerators of the node are the same board."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare with the limits row for this accelerator, or else with what most accelerators of the node have."""
    readings = compare.by_device(seen, lambda device: device.part_number or None)
    row = expectation.limits.find("gpu.part_number", accelerator=compare.accelerator(expectation).sku)
    known = [value for value in readings.values() if value is not None]
    most = max(sorted(set(known)), key=known.count) if known else ""
    wanted = compare.words(row) if row is not None else [most]
    return compare.every(
        expectation,
        readings,
        lambda found: found in wanted,
        what="board part number",
        expected=" or ".join(wanted) or "one on all accelerators",
        source=compare.limit_source(row) if row is not None else "the other accelerators of the node",
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's library tells."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(title="One board on all accelerators", reads=Accelerators, judge=judge, applies=applies)
