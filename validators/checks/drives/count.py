"""Every data drive that the server was bought with is there."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.drives import Drives
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Drives) -> Finding:
    """Count the drives of the nominal size; drives of the operating system have a different size."""
    row = compare.limit(expectation, "drives.size_tolerance")
    terabyte = compare.limit(expectation, "drives.terabyte")
    if row is None or terabyte is None:
        return compare.no_limit(expectation, "drives.size_tolerance and drives.terabyte")
    storage = expectation.node.server.local_storage
    assert storage is not None, f"{expectation.node.name} has no local drives"
    nominal = storage.terabytes_each * compare.number(terabyte)
    sized = [drive for drive in record.drives if drive.bytes is not None]
    matching = [drive.name for drive in sized if abs(drive.bytes / nominal - 1) <= compare.number(row)]
    short = Outcome.INCONCLUSIVE if len(sized) < len(record.drives) else Outcome.FAIL
    outcome = Outcome.PASS if len(matching) >= storage.drives else short
    return compare.finding(
        expectation,
        outcome,
        what="data drives:",
        observed=f"{len(matching)} of {storage.terabytes_each:g} TB ({', '.join(matching) or 'none'})",
        expected=str(storage.drives),
        source=compare.sku_source(expectation.node.server, "local_storage.drives"),
    )


def applies(expectation: Expectation) -> bool:
    """Servers with data drives."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = Check(reads=Drives, judge=judge, applies=applies)
