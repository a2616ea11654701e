"""The operating system has all the memory that the server was bought with."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, at_least, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.tuning import Tuning


def total(tuning: Tuning) -> Quantity | None:
    """Memory of all NUMA nodes in GiB; None without a NUMA node."""
    gibibytes = sum(tuning.numa_memory.values()) / compare.GIB
    return Quantity(gibibytes, f"{gibibytes:.0f} GiB") if tuning.numa_memory else None


def applies(expectation: Expectation) -> bool:
    """Boards whose accelerators share the memory of the host have NUMA nodes besides those of its modules."""
    row = compare.limit(expectation, "memory.coherent_parts")
    parts = compare.words(row) if row else []
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).sku not in parts


CHECK = threshold(
    reads=Tuning,
    metric="memory.total_share",
    values=lambda tuning: {"kernel": total(tuning)},
    good=at_least,
    share_of=lambda expectation: (expectation.node.server, "memory_gib"),
    what="memory:",
    expected="at least {bound:.0f} of {full} GiB",
    applies=applies,
)
