"""Every power supply gets power from its feed."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = bmc.resting_on(
    threshold(
        reads=BmcEvidence,
        metric="bmc.psu_input",
        values=lambda record: compare.by_name(record.supplies, lambda supply: supply.input or None),
        good=one_of,
        what="power supply input,",
        applies=lambda expectation: (
            expectation.node.server.psus.count > 0
        ),  # servers on a busbar have no power supplies
    ),
    "supplies",
    offers=lambda record: any(supply.input for supply in record.supplies or ()) or not record.supplies,
    what="input of the power supplies",
    expected="Normal",
)
