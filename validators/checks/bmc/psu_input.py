"""Every power supply gets power from its feed."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Compare the state of every input with the limit."""
    row = compare.limit(expectation, "bmc.psu_input")
    if row is None:
        return compare.no_limit(expectation, "bmc.psu_input")
    return compare.every(
        expectation,
        compare.by_name(seen.supplies, lambda one: one.input or None),
        lambda found: found in compare.words(row),
        what="power supply input,",
        expected=" or ".join(compare.words(row)),
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Servers on a busbar have no supplies of their own."""
    return expectation.node.server.psus.count > 0


CHECK = Check(reads=Bmc, judge=judge, applies=applies)
