"""No accelerator has had more uncorrectable SRAM errors over its life than the limit."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.sram_uncorrected",
    value=lambda device: device.ecc_uncorrected_sram,
    good=at_most,
    what="uncorrectable SRAM errors",
    applies=has_capability("ecc_places"),
)
