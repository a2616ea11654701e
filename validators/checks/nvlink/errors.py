"""No NVLink has counted CRC errors."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the worst link of every accelerator with the limit; fewer counters than links is no reading."""
    part = compare.accelerator(expectation)
    row = compare.limit(expectation, "nvlink.crc_errors")
    if row is None:
        return compare.no_limit(expectation, "nvlink.crc_errors")
    most = compare.number(row)
    readings = {
        name: max(counts) if len(counts) >= part.nvlink_links or any(count > most for count in counts) else None
        for name, counts in compare.by_device(seen, lambda device: device.nvlink_crc_errors).items()
    }
    return compare.every(
        expectation,
        readings,
        lambda count: count <= most,
        what="NVLink CRC errors on the worst link",
        expected=f"at most {most:g}",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only parts with NVLink count its errors."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).nvlink_links > 0


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
