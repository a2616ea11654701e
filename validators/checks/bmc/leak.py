"""No leak detector of a liquid-cooled machine is wet, silent or missing."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Compare the state of every detector with the limit."""
    row = compare.limit(expectation, "bmc.leak_state")
    if row is None:
        return compare.no_limit(expectation, "bmc.leak_state")
    return compare.every(
        expectation,
        compare.by_name(seen.leak_detectors, lambda one: one.state or one.health or None),
        lambda state: state in compare.words(row),
        what="leak detectors:",
        expected=" or ".join(compare.words(row)),
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only machines with coolant inside can leak."""
    return expectation.node.server.liquid is not None


CHECK = Check(reads=Bmc, judge=judge, applies=applies)
