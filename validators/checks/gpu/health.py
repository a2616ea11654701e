"""The vendor's tool reports every accelerator as healthy."""

from rackwright.compare.threshold import one_of, threshold, vendor_in
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.health",
    value=lambda device: device.health,
    good=one_of,
    what="health",
    applies=vendor_in("huawei", "cambricon"),  # the tools that sum up the health of a part in a word
)
