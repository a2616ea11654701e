"""A login session may use as large a stack as compiled codes need."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Limits
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Limits) -> Finding:
    """Compare the soft limit with what onboarding sets; a smaller one costs some programs, not health."""
    row = compare.limit(expectation, "host.stack")
    if row is None:
        return compare.no_limit(expectation, "host.stack")
    limit = seen.stack_bytes
    return compare.every(
        expectation,
        {"soft limit": "unlimited" if limit is None else f"{limit} bytes"},
        lambda found: found in compare.words(row),
        what="stack",
        expected=" or ".join(compare.words(row)),
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Limits, judge=judge, applies=compare.has_accelerators)
