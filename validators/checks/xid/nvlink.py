"""No NVLink of an accelerator has reported an error since boot that needs an action."""

from rackwright import compare
from rackwright.error_codes import xid
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Grade Xid 74 and the codes of NVLink 5 by reporting unit, bits and error status."""
    link_errors = [error for error in xid.graded_errors(expectation, record) if error.link]
    decoded = {"blackwell": "nvlink5", "hopper": "nvlink4"}
    catalogue = decoded.get(compare.accelerator(expectation).architecture, "xid")
    return xid.xid_finding(expectation, record, link_errors, what="Xids of NVLinks:", catalogue=catalogue)


def applies(expectation: Expectation) -> bool:
    """Nodes with NVLink."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).nvlink_links > 0


CHECK = Check(reads=KernelLog, judge=judge, applies=applies)
