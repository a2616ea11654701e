"""Every accelerator is in the compute mode that the scheduler needs."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.compute_mode",
    value=lambda device: device.compute_mode,
    good=one_of,
    what="compute mode",
    applies=has_capability("device_modes"),
)
