"""The BMC counts as much memory as the server was bought with."""

from rackwright.compare import bmc
from rackwright.compare.threshold import Quantity, at_least, threshold
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = bmc.resting_on(
    threshold(
        reads=BmcEvidence,
        metric="bmc.memory_share",
        values=lambda record: {
            "sum": Quantity(record.memory_gib, f"{record.memory_gib:g} GiB") if record.memory_gib else None
        },
        good=at_least,
        share_of=lambda expectation: (expectation.node.server, "memory_gib"),
        what="memory in the BMC's inventory:",
        expected="at least {bound:g} of {full} GiB",
    ),
    "system",
)
