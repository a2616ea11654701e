"""The machine boots as it is set up to, and nothing overrides that."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Compare the override in force with the limit."""
    row = compare.limit(expectation, "bmc.boot_override")
    if row is None:
        return compare.no_limit(expectation, "bmc.boot_override")
    return compare.every(
        expectation,
        {"override": seen.boot_override or None},
        lambda target: target in compare.words(row),
        what="boot",
        expected=" or ".join(compare.words(row)),
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Bmc, judge=judge)
