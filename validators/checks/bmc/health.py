"""The BMC reports the whole machine healthy."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the health roll-up with the values that the limits accept as pass or as degraded."""
    good = compare.limit(expectation, "bmc.health", outcome="pass")
    reserve = compare.limit(expectation, "bmc.health", outcome="degraded")
    if good is None or reserve is None:
        return compare.no_limit(expectation, "bmc.health")
    return compare.every(
        expectation,
        {"roll-up": record.health or None},
        lambda health: health in compare.words(good),
        what="health",
        expected=" or ".join(compare.words(good)),
        source=compare.limit_source(good),
        bad=Outcome.DEGRADED if record.health in compare.words(reserve) else Outcome.FAIL,
    )


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "system")
