"""No drive warns of itself or has lost data."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.drives import Drive, Drives
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Drives) -> Finding:
    """Look at the critical warning, the drive's own verdict and its media errors."""
    row = compare.limit(expectation, "drives.media_errors")
    if row is None:
        return compare.no_limit(expectation, "drives.media_errors")
    most = compare.number(row)
    return compare.every(
        expectation,
        {f"{one.name} ({one.model}, serial {one.serial})": state(one, most) for one in seen.drives},
        lambda found: found == "healthy",
        what="drive",
        expected=f"no critical warning and at most {most:g} media errors",
        source=f"NVM Express base specification, SMART / health information log; {compare.limit_source(row)}",
    )


def state(drive: Drive, most: float) -> str | None:
    """What is wrong with a drive, in words; None when it does not say enough."""
    if drive.critical_warning is None or drive.media_errors is None:
        return None
    wrong = [f"critical warning {drive.critical_warning:#04x}"] if drive.critical_warning else []
    wrong += ["says that it fails"] if drive.passed is False else []
    wrong += [f"{drive.media_errors} media errors"] if drive.media_errors > most else []
    return ", ".join(wrong) or "healthy"


def applies(expectation: Expectation) -> bool:
    """Only servers with data drives; what the operating system lies on is not planned."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = Check(reads=Drives, judge=judge, applies=applies)
