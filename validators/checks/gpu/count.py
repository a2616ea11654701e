"""Every accelerator that was bought answers exactly once."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Count distinct accelerators by UUID and compare with the server SKU."""
    distinct = {device.uuid for device in record.devices}
    planned = expectation.node.accelerators
    complete = len(distinct) == planned == len(record.devices)
    return compare.finding(
        expectation,
        Outcome.PASS if complete else Outcome.FAIL,
        what="accelerators that answer:",
        observed=str(len(distinct)),
        expected=str(planned),
        source=lambda: compare.sku_source(expectation.node.server, "accelerators"),
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=compare.has_accelerators)
