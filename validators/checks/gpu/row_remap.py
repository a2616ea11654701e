"""No accelerator waits for a row remap, has failed one, or has used up rows beyond the limit."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators, Device
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Look at the pending and failed flags and at the count of rows remapped after uncorrectable errors."""
    row = compare.limit(expectation, "gpu.remapped_rows_uncorrected")
    if row is None:
        return compare.no_limit(expectation, "gpu.remapped_rows_uncorrected")
    most = compare.number(row)

    def state(device: Device) -> str | None:
        """What the library says of remaps: the worst first, None when it does not tell."""
        if device.row_remap_failed:
            return "row remap failed"
        if device.row_remap_pending:
            return "row remap pending"
        rows = device.remapped_rows_uncorrected
        if rows is not None and rows > most:
            return f"{rows} rows remapped after uncorrectable errors"
        unread = None in (device.row_remap_failed, device.row_remap_pending, rows)
        return None if unread else "clean"

    return compare.every(
        expectation,
        compare.by_device(seen, state),
        lambda found: found == "clean",
        what="row remapping",
        expected=f"none pending or failed, at most {most:g} rows",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Only parts of NVIDIA remap rows, from Ampere on."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
