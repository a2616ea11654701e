"""Memory is spread evenly over the NUMA nodes."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Tuning) -> Finding:
    """Compare the memory of every NUMA node with that of the largest one."""
    row = compare.limit(expectation, "memory.numa_share")
    if row is None:
        return compare.no_limit(expectation, "memory.numa_share")
    largest = max(record.numa_memory.values(), default=0)
    least = compare.number(row) * largest
    return compare.every(
        expectation,
        {node: f"{size / compare.GIB:.0f} GiB" for node, size in record.numa_memory.items()},
        lambda text: (
            text not in {f"{size / compare.GIB:.0f} GiB" for size in record.numa_memory.values() if size < least}
        ),
        what="memory of",
        expected=f"at least {least / compare.GIB:.0f} GiB on each, {compare.number(row):.0%} of the largest",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators do not share the memory of the host: boards that share it have NUMA nodes of two kinds."""
    row = compare.limit(expectation, "memory.coherent_parts")
    parts = compare.words(row) if row else []
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).sku not in parts


CHECK = Check(reads=Tuning, judge=judge, applies=applies)
