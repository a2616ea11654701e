"""The power supplies of the machine are redundant."""

from rackwright.compare import bmc
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = bmc.resting_on(
    threshold(
        reads=BmcEvidence,
        metric="bmc.health",
        outcome="pass",
        values=lambda record: {"group of supplies": record.psu_redundancy or None},
        good=one_of,
        what="redundancy of the",
        source="PowerSupplyRedundancy.Status",
        # servers that need every supply have no redundancy to lose
        applies=lambda expectation: expectation.node.server.psus.count > expectation.node.server.psus.needed,
    ),
    "supplies",
    offers=lambda record: bool(record.psu_redundancy),
    what="redundancy of the power supplies",
    expected="OK",
)
