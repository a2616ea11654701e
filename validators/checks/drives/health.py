"""No drive reports a warning or lost data."""

from rackwright.compare.applicability import has_data_drives
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.drives import Drive, Drives


def state(drive: Drive, most: float) -> str | None:
    """Defects of a drive in words, or ``healthy``; None if its log is incomplete."""
    if drive.critical_warning is None or drive.media_errors is None:
        return None
    wrong = [f"critical warning {drive.critical_warning:#04x}"] if drive.critical_warning else []
    wrong += ["says that it fails"] if drive.passed is False else []
    wrong += [f"{drive.media_errors} media errors"] if drive.media_errors > most else []
    return ", ".join(wrong) or "healthy"


CHECK = threshold(
    reads=Drives,
    metric="drives.media_errors",
    readings=lambda _, record, most: {
        f"{drive.name} ({drive.model}, serial {drive.serial})": state(drive, most) for drive in record.drives
    },
    good=lambda text, _: text == "healthy",
    what="drive",
    expected="no critical warning and at most {bound:g} media errors",
    source="NVM Express base specification, SMART / health information log",
    applies=has_data_drives,
)
