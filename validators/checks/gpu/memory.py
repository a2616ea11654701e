"""Every accelerator offers the memory that was bought, less what the part reserves."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the total memory with the SKU capacity times the share that this architecture leaves visible."""
    part = compare.accelerator(expectation)
    share = compare.limit(expectation, "gpu.memory_share")
    if share is None:
        return compare.no_limit(expectation, "gpu.memory_share")
    least = part.memory_gib * compare.number(share)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: device.memory_total_bytes or None),
        lambda total: total >= least * compare.GIB,
        what="memory in bytes",
        expected=f"at least {least:g} GiB",
        source=f"{compare.sku_source(part, 'memory_gib')}; {compare.limit_source(share)}",
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=compare.has_accelerators)
