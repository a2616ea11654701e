"""The operating system has all the memory that the server was bought with."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, at_least, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.host import Host


def total(host: Host) -> Quantity:
    """Memory that the kernel manages, in GiB."""
    gibibytes = host.memory_bytes / compare.GIB
    return Quantity(gibibytes, f"{gibibytes:.0f} GiB")


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators do not share the memory of the host: boards that share it report more than the memory of
    the modules.
    """
    row = compare.limit(expectation, "memory.coherent_parts")
    parts = compare.words(row) if row else []
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).sku not in parts


CHECK = threshold(
    reads=Host,
    metric="memory.total_share",
    values=lambda host: {"kernel": total(host)},
    good=at_least,
    share_of=lambda expectation: (expectation.node.server, "memory_gib"),
    what="memory:",
    expected="at least {bound:.0f} of {full} GiB",
    applies=applies,
)
