"""No leak detector of a liquid-cooled machine is wet, silent or missing."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = bmc.resting_on(
    threshold(
        reads=BmcEvidence,
        metric="bmc.leak_state",
        values=lambda record: compare.by_name(
            record.leak_detectors, lambda detector: detector.state or detector.health or None
        ),
        good=one_of,
        what="leak detectors:",
        applies=lambda expectation: expectation.node.server.liquid is not None,
    ),
    "leak_detectors",
)
