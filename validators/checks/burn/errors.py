"""The same product of the same matrices comes out the same every time on every accelerator."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import at_most, measured
from rackwright.model.evidence.load import Burn, BurnedDevice


def mismatches(device: BurnedDevice) -> int | None:
    """Results that differ from the first one; None if a precision was not compared and no other has any."""
    counts = [gemm.mismatches for gemm in device.gemms]
    read = [count for count in counts if count is not None]
    return sum(read) if read and (len(read) == len(counts) or any(read)) else None


CHECK = measured(
    reads=Burn,
    metric="burn.mismatches",
    readings=lambda _, burn: compare.by_device(burn, mismatches),
    good=at_most,
    what="products that differ from the first one",
    applies=has_capability("burn_details"),
)
