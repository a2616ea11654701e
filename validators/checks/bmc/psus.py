"""All power supplies work; without redundancy the verdict is degraded."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare the healthy supplies with the SKU: all of them, enough for the peak load, or fewer."""
    psus = expectation.node.server.psus
    silent = sum(not supply.health and not supply.state for supply in record.supplies or [])
    if record.psus_ok >= psus.count:
        outcome = Outcome.PASS
    elif record.psus_total < 1 or record.psus_ok + silent >= psus.count:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.DEGRADED if record.psus_ok >= psus.needed else Outcome.FAIL
    more = f", {silent} of which nothing is reported" if silent else ""
    bad = [f"{unit.name} is {unit.health}" for unit in record.supplies or [] if unit.health not in {"", "OK"}]
    more += f" ({', '.join(bad)})" if bad else ""
    judged = compare.finding(
        expectation,
        outcome,
        what="power supplies:",
        observed=f"{record.psus_ok} of {record.psus_total} healthy{more}",
        expected=f"{psus.count} (the peak load needs {psus.needed})",
        source=compare.sku_source(expectation.node.server, "psus.count"),
    )
    return bmc.complete(judged, record, "supplies", counted=True)


def applies(expectation: Expectation) -> bool:
    """Machines with power supplies; trays on a busbar have none."""
    return expectation.node.server.psus.count > 0


CHECK = Check(reads=BmcEvidence, judge=judge, applies=applies)
