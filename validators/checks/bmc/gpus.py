"""The BMC lists as many accelerators as the server was bought with, all of one model."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Count the models; a BMC that lists none has perhaps no way to the baseboard."""
    wanted = expectation.node.accelerators
    models = sorted(set(seen.gpu_models))
    if not seen.gpu_models:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if len(seen.gpu_models) == wanted and len(models) == 1 else Outcome.FAIL
    return compare.finding(
        expectation,
        outcome,
        what="accelerators in the BMC's inventory:",
        observed=f"{len(seen.gpu_models)} ({', '.join(models) or 'none listed'})",
        expected=f"{wanted} of one model",
        source=compare.sku_source(expectation.node.server, "accelerators"),
    )


CHECK = Check(reads=Bmc, judge=judge, applies=compare.has_accelerators)
