"""No CPU is held below the frequency that its hardware can do."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Shared, Tuning
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Tuning) -> Finding:
    """Compare the ceilings in force with what the hardware states, value by value with the number of CPUs."""
    allowed, possible = counted(seen.ceilings), counted(seen.highest)
    if not allowed or not possible:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if allowed == possible else Outcome.FAIL
    return compare.finding(
        expectation,
        outcome,
        what="highest frequency allowed:",
        observed=text(seen.ceilings) or "no reading",
        expected=text(seen.highest) or "what the hardware states",
        source="cpuinfo_max_freq of the same CPUs",
    )


def counted(found: list[Shared]) -> set[tuple[str, int]]:
    """Values with the number of CPUs that have them."""
    return {(one.value, one.cpus) for one in found}


def text(found: list[Shared]) -> str:
    """Values with how many CPUs have them, and the first of those."""
    return ", ".join(f"{one.value} kHz on {one.cpus} CPUs from {one.first}" for one in found)


CHECK = Check(reads=Tuning, judge=judge, applies=compare.has_accelerators)
