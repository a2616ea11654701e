"""No NVSwitch of the node has reported an error since boot that needs an action."""

from rackwright import compare
from rackwright.error_codes import xid
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Grade every SXid by the class of its code."""
    errors = xid.graded_switches(expectation, record)
    return xid.xid_finding(expectation, record, errors, what="SXids:", catalogue="sxid")


def applies(expectation: Expectation) -> bool:
    """Servers that drive their NVSwitches themselves."""
    return compare.has_accelerators(expectation) and expectation.node.server.fabric_manager


CHECK = Check(reads=KernelLog, judge=judge, applies=applies)
