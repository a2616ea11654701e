"""The BMC lists as many accelerators as the server was bought with, all of one model."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Count the accelerators and their models; a BMC that lists none may have no connection to the baseboard."""
    planned = expectation.node.accelerators
    models = sorted({model for model in record.gpu_models if model})
    if not record.gpu_models:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if len(record.gpu_models) == planned and len(models) <= 1 else Outcome.FAIL
    judged = compare.finding(
        expectation,
        outcome,
        what="accelerators in the BMC's inventory:",
        observed=f"{len(record.gpu_models)} ({', '.join(models) or ('of a model that it does not report' if record.gpu_models else 'none listed')})",
        expected=f"{planned} of one model",
        source=compare.sku_source(expectation.node.server, "accelerators"),
    )
    return bmc.complete(judged, record, "accelerators", counted=len(record.gpu_models) <= planned)


CHECK = Check(reads=BmcEvidence, judge=judge, applies=compare.has_accelerators)
