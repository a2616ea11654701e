"""No device has tried to access memory that is not mapped for it since boot."""

from rackwright import compare
from rackwright.error_codes import kernel_lines
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Compare the lines of each kind with the limit of its severity."""
    return kernel_lines.judge_domain(expectation, record, "iommu")


CHECK = Check(reads=KernelLog, judge=judge, applies=compare.has_accelerators)
