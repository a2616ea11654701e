"""No accelerator's host link has repeated more packets than the limit."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="pcie.replays",
    value=lambda device: device.pcie_replays,
    good=at_most,
    what="PCIe replays",
    applies=has_capability("pcie_replays"),
)
