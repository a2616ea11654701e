"""No power cap is below the peak power of the machine but the one that the site declares."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the cap in force with that of the pool, otherwise with the peak of the server SKU; advisory if the BMC
    reports no cap.
    """
    server, declared, cap = expectation.node.server, expectation.power_cap_watts, record.power_limit_watts
    expected = f"{declared} W" if declared else f"none, or at least {server.peak_watts} W"
    if not record.power_limit_known:
        return bmc.not_reported(expectation, what="power cap", expected=expected)
    held = cap == declared if declared else cap is None or cap >= server.peak_watts
    return compare.finding(
        expectation,
        Outcome.PASS if held else Outcome.FAIL,
        what="power cap:",
        observed="none" if cap is None else f"{cap:g} W",
        expected=expected,
        source="site pools, power_cap_watts" if declared else compare.sku_source(server, "peak_watts"),
    )


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "power")
