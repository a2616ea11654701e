"""No CPU is limited below the frequency of its hardware."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Shared, Tuning
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Tuning) -> Finding:
    """Compare the ceilings in force with the hardware's, by value and number of CPUs."""
    allowed, possible = counted(record.ceilings), counted(record.highest)
    if not allowed or not possible:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if allowed == possible else Outcome.FAIL
    return compare.finding(
        expectation,
        outcome,
        what="highest frequency allowed:",
        observed=text(record.ceilings) or "no reading",
        expected=text(record.highest) or "what the hardware states",
        source="cpuinfo_max_freq of the same CPUs",
    )


def counted(groups: list[Shared]) -> set[tuple[str, int]]:
    """Values with the number of CPUs that have them."""
    return {(group.value, group.cpus) for group in groups}


def text(groups: list[Shared]) -> str:
    """Values, each with the number of CPUs that have it and the first of them."""
    return ", ".join(f"{group.value} kHz on {group.cpus} CPUs from {group.first}" for group in groups)


CHECK = Check(reads=Tuning, judge=judge, applies=compare.has_accelerators)
