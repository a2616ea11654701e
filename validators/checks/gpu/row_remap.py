"""No accelerator has a pending or failed row remap, or more remapped rows than the limit."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.accelerator import Accelerators, Device


def state(device: Device, most: float) -> str | None:
    """The worst state of remaps; None if the library does not report all of it."""
    if device.row_remap_failed:
        return "row remap failed"
    if device.row_remap_pending:
        return "row remap pending"
    rows = device.remapped_rows_uncorrected
    if rows is not None and rows > most:
        return f"{rows} rows remapped after uncorrectable errors"
    return None if None in (device.row_remap_failed, device.row_remap_pending, rows) else "clean"


CHECK = threshold(
    reads=Accelerators,
    metric="gpu.remapped_rows_uncorrected",
    readings=lambda _, accelerators, most: compare.by_device(accelerators, lambda device: state(device, most)),
    good=lambda text, _: text == "clean",
    what="row remapping",
    expected="none pending or failed, at most {bound:g} rows",
    applies=has_capability("row_remapping"),
)
