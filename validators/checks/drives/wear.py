"""No drive is near the end of its life."""

from rackwright.compare.applicability import has_data_drives
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.drives import Drive, Drives


def state(drive: Drive, most: float) -> str | None:
    """Wear in words; None if the log of the drive is incomplete."""
    if drive.percentage_used is None or drive.available_spare is None or drive.spare_threshold is None:
        return None
    worn = drive.percentage_used > most or drive.available_spare < drive.spare_threshold
    text = f"{drive.percentage_used} % used, {drive.available_spare} % spare (threshold {drive.spare_threshold} %)"
    return text if worn else "good for longer"


CHECK = threshold(
    reads=Drives,
    metric="drives.percentage_used",
    readings=lambda _, record, most: {
        f"{drive.name} (serial {drive.serial})": state(drive, most) for drive in record.drives
    },
    good=lambda text, _: text == "good for longer",
    what="wear of",
    expected="at most {bound:g} % of its life used, and more spare blocks than its own threshold",
    applies=has_data_drives,
)
