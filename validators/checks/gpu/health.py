"""The vendor's tool reports every accelerator as healthy."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.health",
    value=lambda device: device.health,
    good=one_of,
    what="health",
    applies=has_capability("health"),
)
