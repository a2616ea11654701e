"""Applications have caused few errors on the accelerators since boot."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.error_codes import xid
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Count the Xids whose action is to restart the application; on a node under test they should not recur."""
    row = compare.limit(expectation, "xid.application_errors")
    if row is None:
        return compare.no_limit(expectation, "xid.application_errors")
    most = compare.number(row)
    graded = [error for error in xid.graded_errors(expectation, record) if not error.link]
    application_errors = [error for error in graded if error.outcome == Outcome.DEGRADED]
    finding = xid.xid_finding(expectation, record, application_errors, what="Xids of applications:", catalogue="xid")
    if len(application_errors) <= most:
        return finding
    worse = {"outcome": Outcome.FAIL, "says": f"{finding.says}; more than {most:g} ({compare.limit_source(row)})"}
    return finding.model_copy(update=worse)


CHECK = Check(reads=KernelLog, judge=judge, applies=has_capability("numbered_faults"))
