"""The same product of the same matrices comes out the same every time on every accelerator."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Burn, BurnedDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Burn) -> Finding:
    """Sum the results that differ from the first one; a precision whose results were not compared is no reading."""

    def lost(device: BurnedDevice) -> int | None:
        counts = [gemm.mismatches for gemm in device.gemms]
        known = [count for count in counts if count is not None]
        return sum(known) if known and (len(known) == len(counts) or any(known)) else None

    return compare.at_most(
        expectation,
        compare.by_device(seen, lost),
        "burn.mismatches",
        what="products that differ from the first one",
    )


CHECK = Check(
    reads=Burn,
    judge=judge,
    applies=lambda expectation: loads.vendor_is(expectation, "nvidia"),
)
