"""The BMC reports the machine as powered on."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the power state with the limit row."""
    row = compare.limit(expectation, "bmc.power_state")
    if row is None:
        return compare.no_limit(expectation, "bmc.power_state")
    return compare.equal(
        expectation,
        record.power_state or None,
        str(row.value),
        what="power state",
        source=compare.limit_source(row),
    )


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "system")
