"""No memory module has uncorrected errors, and none has many corrected ones."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Tuning) -> Finding:
    """Compare the counters of every module since boot with the limits."""
    corrected = compare.limit(expectation, "memory.corrected_errors")
    uncorrected = compare.limit(expectation, "memory.uncorrected_errors")
    if corrected is None or uncorrected is None:
        return compare.no_limit(expectation, "memory.corrected_errors and memory.uncorrected_errors")
    few, none = compare.number(corrected), compare.number(uncorrected)
    bad = {
        module.label: f"{module.corrected} corrected, {module.uncorrected} uncorrected"
        for module in record.memory_errors
        if module.corrected > few or module.uncorrected > none
    }
    counted = {"all modules": f"at most {few:g} corrected, {none:g} uncorrected"} if record.memory_errors else {}
    return compare.every(
        expectation,
        bad or counted,
        lambda _: not bad,
        what="memory errors since boot:",
        expected=f"at most {few:g} corrected and {none:g} uncorrected of each module",
        source=f"{compare.limit_source(corrected)}; {compare.limit_source(uncorrected)}",
    )


CHECK = Check(reads=Tuning, judge=judge, applies=compare.has_accelerators)
