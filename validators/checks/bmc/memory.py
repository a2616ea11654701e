"""The BMC counts as much memory as the server was bought with."""

from rackwright.compare.threshold import Quantity, at_least, threshold
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = threshold(
    reads=BmcEvidence,
    metric="bmc.memory_share",
    values=lambda bmc: {"sum": Quantity(bmc.memory_gib, f"{bmc.memory_gib:g} GiB") if bmc.memory_gib else None},
    good=at_least,
    share_of=lambda expectation: (expectation.node.server, "memory_gib"),
    what="memory in the BMC's inventory:",
    expected="at least {bound:g} of {full} GiB",
)
