"""No accelerator has corrected more memory errors over its life than the limit, in memory or in its caches."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the counts of device memory and of SRAM with their limits."""
    rows = {place: compare.limit(expectation, "gpu.ecc_corrected", place=place) for place in ("dram", "sram")}
    if None in rows.values():
        return compare.no_limit(expectation, "gpu.ecc_corrected")
    most = {place: compare.number(row) for place, row in rows.items() if row is not None}
    counts = compare.by_device(
        record, lambda device: {"dram": device.ecc_corrected_dram, "sram": device.ecc_corrected_sram}
    )
    readings = {
        f"{part} {place}": (None if count is None else (place, count))
        for part, by in counts.items()
        for place, count in by.items()
    }
    return compare.every(
        expectation,
        readings,
        lambda reading: reading[1] <= most[reading[0]],
        what="corrected memory errors:",
        expected=", ".join(f"at most {number:g} in {place}" for place, number in most.items()),
        source="; ".join(compare.limit_source(row) for row in rows.values() if row is not None),
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("ecc_places"))
