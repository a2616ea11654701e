"""No power cap is below the peak power of the machine."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the cap in force with the peak of the server SKU; a BMC that reports no cap gives advice."""
    server = expectation.node.server
    cap = record.power_limit_watts
    if not record.power_limit_known:
        return bmc.not_reported(expectation, what="power cap", expected=f"none, or at least {server.peak_watts} W")
    if cap is None:
        outcome, observed = Outcome.PASS, "none"
    else:
        outcome = Outcome.PASS if cap >= server.peak_watts else Outcome.FAIL
        observed = f"{cap:g} W"
    return compare.finding(
        expectation,
        outcome,
        what="power cap:",
        observed=observed,
        expected=f"none, or at least {server.peak_watts} W",
        source=compare.sku_source(server, "peak_watts"),
    )


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "power")
