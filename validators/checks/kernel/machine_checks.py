"""No CPU has reported an uncorrected error, and none corrects errors repeatedly."""

from rackwright import compare
from rackwright.compare import kernel
from rackwright.error_codes import cut_log
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog, MachineCheck
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Count uncorrected errors, and corrected ones on the worst day of each bank."""
    fatal = compare.limit(expectation, "kernel.machine_checks")
    daily = compare.limit(expectation, "kernel.corrected_machine_checks_per_day")
    if fatal is None or daily is None:
        return compare.no_limit(expectation, "kernel.machine_checks")
    bad = [error for error in record.machine_checks if not error.corrected]
    wrong = (
        [f"{place(error)} not corrected ({error.status})" for error in bad] if len(bad) > compare.number(fatal) else []
    )
    times: dict[str, list[str]] = {}
    for error in record.machine_checks:
        if error.corrected:
            times.setdefault(place(error), []).append(error.time)
    counts = {name: kernel.most_within(moments, kernel.DAY) for name, moments in times.items()}
    wrong += [f"{name} {count} corrected in a day" for name, count in counts.items() if count > compare.number(daily)]
    finding = compare.finding(
        expectation,
        Outcome.FAIL if wrong else Outcome.PASS,
        what="machine checks:",
        observed="; ".join(wrong) or f"{len(record.machine_checks)}",
        expected=f"at most {fatal.value:g} not corrected and {daily.value:g} corrected a day per bank",
        source=f"{compare.limit_source(fatal)}; {compare.limit_source(daily)}",
    )
    return cut_log.inconclusive_if_cut(expectation, record, finding)


def place(error: MachineCheck) -> str:
    """The reporting bank."""
    return "firmware" if error.cpu is None else f"CPU {error.cpu} bank {error.bank}"


CHECK = Check(reads=KernelLog, judge=judge, applies=compare.has_accelerators)
