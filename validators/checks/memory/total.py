"""The operating system has all the memory that the server was bought with."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Tuning) -> Finding:
    """Compare the memory of all NUMA nodes with the server SKU, less what firmware and kernel keep."""
    row = compare.limit(expectation, "memory.total_share")
    if row is None:
        return compare.no_limit(expectation, "memory.total_share")
    server = expectation.node.server
    least = compare.number(row) * server.memory_gib
    found = sum(seen.numa_memory.values()) / compare.GIB
    return compare.every(
        expectation,
        {"kernel": f"{found:.0f} GiB" if seen.numa_memory else None},
        lambda _: found >= least,
        what="memory:",
        expected=f"at least {least:.0f} of {server.memory_gib} GiB",
        source=f"{compare.sku_source(server, 'memory_gib')}; {compare.limit_source(row)}",
    )


def applies(expectation: Expectation) -> bool:
    """Boards whose accelerators share the memory of the host have NUMA nodes that are none of its modules."""
    row = compare.limit(expectation, "memory.coherent_parts")
    parts = compare.words(row) if row else []
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).sku not in parts


CHECK = Check(reads=Tuning, judge=judge, applies=applies)
