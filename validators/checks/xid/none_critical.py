"""No accelerator has reported an error since boot that needs a reset, a restart or a repair."""

from rackwright.compare.applicability import has_capability
from rackwright.error_codes import xid
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Grade every Xid by its action; errors of links and of applications have checks of their own."""
    graded = [error for error in xid.graded_errors(expectation, record) if not error.link]
    critical = [error for error in graded if error.outcome != Outcome.DEGRADED]
    return xid.xid_finding(expectation, record, critical, what="Xids:", catalogue="xid")


CHECK = Check(reads=KernelLog, judge=judge, applies=has_capability("numbered_faults"))
