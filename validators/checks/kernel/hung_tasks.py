"""No task has hung in the kernel since boot."""

from rackwright import compare
from rackwright.compare import kernel
from rackwright.error_codes import xid
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding

KINDS = ("hung_task",)


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Count the lines of these kinds and compare each count with its limit."""
    return xid.inconclusive_if_cut(
        expectation, record, kernel.judge_lines(expectation, record, KINDS, what="hung tasks in the kernel log:")
    )


CHECK = Check(reads=KernelLog, judge=judge, applies=compare.has_accelerators)
