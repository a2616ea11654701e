"""The power reading of the machine is plausible."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the reading with the least power of a running machine and with the peak of the server SKU."""
    row = compare.limit(expectation, "bmc.idle_share")
    if row is None:
        return compare.no_limit(expectation, "bmc.idle_share")
    server = expectation.node.server
    least = compare.number(row) * server.peak_watts
    watts = record.power_watts
    return compare.every(
        expectation,
        {"the machine": None if watts is None else f"{watts:g} W"},
        lambda _: watts is not None and least <= watts <= server.peak_watts,
        what="power drawn,",
        expected=f"{least:g} to {server.peak_watts} W",
        source=f"{compare.sku_source(server, 'peak_watts')}; {compare.limit_source(row)}",
    )


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge, applies=compare.has_accelerators), "power", "supplies")
