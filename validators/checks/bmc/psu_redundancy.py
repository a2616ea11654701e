"""The power supplies of the machine are redundant."""

from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = threshold(
    reads=BmcEvidence,
    metric="bmc.health",
    outcome="pass",
    values=lambda bmc: {"group of supplies": bmc.psu_redundancy or None},
    good=one_of,
    what="redundancy of the",
    source="PowerSupplyRedundancy.Status",
    # servers that need every supply have no redundancy to lose
    applies=lambda expectation: expectation.node.server.psus.count > expectation.node.server.psus.needed,
)
