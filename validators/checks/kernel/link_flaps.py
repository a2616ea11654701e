"""No network port has lost its link repeatedly within one hour."""

from rackwright import compare
from rackwright.compare import kernel
from rackwright.error_codes import cut_log
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Compare the worst hour of every port with the limit."""
    row = compare.limit(expectation, "kernel.link_losses_per_hour")
    if row is None:
        return compare.no_limit(expectation, "kernel.link_losses_per_hour")
    counts = {
        port: kernel.most_within(times, kernel.HOUR) for port, times in kernel.link_losses(record.link_changes).items()
    }
    wrong = {port: count for port, count in counts.items() if count > compare.number(row)}
    finding = compare.finding(
        expectation,
        Outcome.FAIL if wrong else Outcome.PASS,
        what="times that a port lost its link within an hour:",
        observed="; ".join(f"{port} {count}" for port, count in wrong.items()) or f"{max(counts.values(), default=0)}",
        expected=f"at most {row.value:g}",
        source=compare.limit_source(row),
    )
    return cut_log.inconclusive_if_cut(expectation, record, finding)


CHECK = Check(reads=KernelLog, judge=judge, applies=compare.has_accelerators)
