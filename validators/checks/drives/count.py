"""Every data drive that the server was bought with is there."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.drives import Drives
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Drives) -> Finding:
    """Count the drives of the nominal size; drives of the operating system have another one."""
    row = compare.limit(expectation, "drives.size_tolerance")
    terabyte = compare.limit(expectation, "drives.terabyte")
    if row is None or terabyte is None:
        return compare.no_limit(expectation, "drives.size_tolerance and drives.terabyte")
    wanted = expectation.node.server.local_storage
    assert wanted is not None, f"{expectation.node.name} has no local drives"
    nominal = wanted.terabytes_each * compare.number(terabyte)
    sized = [one for one in seen.drives if one.bytes is not None]
    found = [one.name for one in sized if abs(one.bytes / nominal - 1) <= compare.number(row)]
    short = Outcome.INCONCLUSIVE if len(sized) < len(seen.drives) else Outcome.FAIL
    outcome = Outcome.PASS if len(found) >= wanted.drives else short
    return compare.finding(
        expectation,
        outcome,
        what="data drives:",
        observed=f"{len(found)} of {wanted.terabytes_each:g} TB ({', '.join(found) or 'none'})",
        expected=str(wanted.drives),
        source=compare.sku_source(expectation.node.server, "local_storage.drives"),
    )


def applies(expectation: Expectation) -> bool:
    """Only servers with data drives have any to count."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = Check(reads=Drives, judge=judge, applies=applies)
