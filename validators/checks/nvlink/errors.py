"""No NVLink has counted CRC errors."""

from rackwright import compare
from rackwright.compare.applicability import has_nvlink
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.accelerator import Accelerators


def worst_link(expectation: Expectation, accelerators: Accelerators, most: float) -> dict[str, int | None]:
    """CRC errors of the worst link of every accelerator; None if a counter is missing and none is above the limit."""
    links = compare.accelerator(expectation).nvlink_links
    counters = compare.by_device(accelerators, lambda device: device.nvlink_crc_errors)
    return {
        name: max(counts) if len(counts) >= links or any(count > most for count in counts) else None
        for name, counts in counters.items()
    }


CHECK = threshold(
    reads=Accelerators,
    metric="nvlink.crc_errors",
    readings=worst_link,
    good=at_most,
    what="NVLink CRC errors on the worst link",
    applies=has_nvlink,
)
