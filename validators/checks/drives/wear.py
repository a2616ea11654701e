"""No drive is near the end of its life."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.drives import Drive, Drives
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Drives) -> Finding:
    """Compare the used share of the rated life with the limit, and the spare blocks with the drive's own threshold."""
    row = compare.limit(expectation, "drives.percentage_used")
    if row is None:
        return compare.no_limit(expectation, "drives.percentage_used")
    most = compare.number(row)
    return compare.every(
        expectation,
        {f"{one.name} (serial {one.serial})": state(one, most) for one in seen.drives},
        lambda found: found == "good for longer",
        what="wear of",
        expected=f"at most {most:g} % of its life used, and more spare blocks than its own threshold",
        source=compare.limit_source(row),
    )


def state(drive: Drive, most: float) -> str | None:
    """Wear in words; None when the drive does not say enough."""
    if drive.percentage_used is None or drive.available_spare is None or drive.spare_threshold is None:
        return None
    worn = drive.percentage_used > most or drive.available_spare < drive.spare_threshold
    text = f"{drive.percentage_used} % used, {drive.available_spare} % spare (threshold {drive.spare_threshold} %)"
    return text if worn else "good for longer"


def applies(expectation: Expectation) -> bool:
    """Only servers with data drives; what the operating system lies on is not planned."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = Check(reads=Drives, judge=judge, applies=applies)
