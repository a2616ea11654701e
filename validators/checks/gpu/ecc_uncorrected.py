"""No accelerator has had an uncorrectable memory error, since boot or ever."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.accelerator import Accelerators


def counts(accelerators: Accelerators) -> dict[str, int | None]:
    """Uncorrectable errors of every accelerator: the volatile and the aggregate count."""
    by_count = {}
    for name, device in compare.by_device(accelerators, lambda device: device).items():
        by_count[f"{name} since boot"] = device.ecc_uncorrected_volatile
        by_count[f"{name} in its life"] = device.ecc_uncorrected_aggregate
    return by_count


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators have ECC and a tool that reports the counts."""
    return has_capability("ecc_counts")(expectation) and compare.accelerator(expectation).ecc


CHECK = threshold(
    reads=Accelerators,
    metric="gpu.ecc_uncorrected",
    values=counts,
    good=at_most,
    what="uncorrectable ECC errors",
    applies=applies,
)
