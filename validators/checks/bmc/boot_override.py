"""No boot override is in force."""

from rackwright.compare import bmc
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = bmc.resting_on(
    threshold(
        reads=BmcEvidence,
        metric="bmc.boot_override",
        values=lambda record: {"override": record.boot_override or None},
        good=one_of,
        what="boot",
    ),
    "system",
)
