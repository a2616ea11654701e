"""The kernel has logged no uncorrectable PCI Express error and few corrected ones since boot."""

from rackwright import compare
from rackwright.error_codes import cut_log
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Count the errors of every device by severity and compare each count with its limit."""
    rows = {kind: compare.limit(expectation, "pcie.aer_errors", severity=kind) for kind in SEVERITIES}
    if None in rows.values():
        return compare.no_limit(expectation, "pcie.aer_errors")
    most = {kind: compare.number(row) for kind, row in rows.items() if row is not None}
    counts: dict[tuple[str, str], int] = {}
    for error in record.bus_errors:
        counts[error.bus_id, error.severity] = counts.get((error.bus_id, error.severity), 0) + 1
    wrong = {f"{place} {kind}": count for (place, kind), count in counts.items() if count > most.get(kind, 0)}
    finding = compare.finding(
        expectation,
        Outcome.FAIL if wrong else Outcome.PASS,
        what="PCIe errors in the kernel log:",
        observed="; ".join(f"{name}: {count}" for name, count in wrong.items()) or f"{len(record.bus_errors)}",
        expected=", ".join(f"at most {number:g} {kind}" for kind, number in most.items()) + " per device",
        source="; ".join(compare.limit_source(row) for row in rows.values() if row is not None),
    )
    return cut_log.inconclusive_if_cut(expectation, record, finding, "aer")


SEVERITIES = ("fatal", "nonfatal", "correctable")
CHECK = Check(reads=KernelLog, judge=judge, applies=compare.has_accelerators)
