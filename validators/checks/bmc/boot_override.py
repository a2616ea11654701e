"""No boot override is in force."""

from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = threshold(
    reads=BmcEvidence,
    metric="bmc.boot_override",
    values=lambda bmc: {"override": bmc.boot_override or None},
    good=one_of,
    what="boot",
)
