"""A login session may open as many files as large jobs need."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Limits
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Limits) -> Finding:
    """Compare the soft limit with the least; None means unlimited."""
    row = compare.limit(expectation, "host.open_files")
    if row is None:
        return compare.no_limit(expectation, "host.open_files")
    least = compare.number(row)
    limit = seen.open_files
    return compare.every(
        expectation,
        {"soft limit": "unlimited" if limit is None else str(limit)},
        lambda _: limit is None or limit >= least,
        what="open files",
        expected=f"at least {least:g}",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Limits, judge=judge, applies=compare.has_accelerators)
