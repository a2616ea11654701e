"""No memory bank of an accelerator has used up its spare rows, and few banks have few of them."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding

FEWEST = ("few", "none")
"""Names of the last counts of the histogram, in order."""


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """The histogram counts banks with all, many, some, few and no spare rows; compare the last two counts with their limits."""
    rows = {spare: compare.limit(expectation, "gpu.spare_rows", left=spare) for spare in FEWEST}
    if None in rows.values():
        return compare.no_limit(expectation, "gpu.spare_rows")
    most = {spare: compare.number(row) for spare, row in rows.items() if row is not None}
    banks = compare.by_device(record, lambda device: device.spare_banks)
    readings = {
        part: dict(zip(FEWEST, counts[-len(FEWEST) :], strict=True)) if counts and len(counts) >= len(FEWEST) else None
        for part, counts in banks.items()
    }
    return compare.every(
        expectation,
        readings,
        lambda counts_by_spare: all(count <= most[spare] for spare, count in counts_by_spare.items()),
        what="memory banks with few or no spare rows:",
        expected=", ".join(f"at most {number:g} with {spare}" for spare, number in most.items()),
        source="; ".join(compare.limit_source(row) for row in rows.values() if row is not None),
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("row_remapping"))
