"""Every CPU may run at full speed at once."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Tuning) -> Finding:
    """Compare the governor of every CPU with the limit."""
    row = compare.limit(expectation, "cpu.governor")
    if row is None:
        return compare.no_limit(expectation, "cpu.governor")
    return compare.every(
        expectation,
        {f"{one.cpus} CPUs from {one.first}": one.value for one in seen.governors},
        lambda governor: governor in compare.words(row),
        what="frequency governor",
        expected=" or ".join(compare.words(row)),
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Tuning, judge=judge, applies=compare.has_accelerators)
