"""The machine goes on when the supplies that may fail do so."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Bmc) -> Finding:
    """Look at the health of the group of supplies as the machine itself judges it."""
    row = compare.limit(expectation, "bmc.health", outcome="pass")
    if row is None:
        return compare.no_limit(expectation, "bmc.health")
    return compare.every(
        expectation,
        {"group of supplies": seen.psu_redundancy or None},
        lambda health: health in compare.words(row),
        what="redundancy of the",
        expected=" or ".join(compare.words(row)),
        source=f"PowerSupplyRedundancy.Status; {compare.limit_source(row)}",
    )


def applies(expectation: Expectation) -> bool:
    """Servers that need every supply have no redundancy to lose."""
    return expectation.node.server.psus.count > expectation.node.server.psus.needed


CHECK = Check(reads=Bmc, judge=judge, applies=applies)
