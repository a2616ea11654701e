"""No NVLink has retrained since its counters were cleared. Missing counters make the verdict inconclusive."""

from rackwright.compare.applicability import has_nvlink
from rackwright.compare.threshold import at_most, each_nvlink, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="nvlink.recoveries",
    readings=each_nvlink(lambda device: device.nvlink_recoveries),
    good=at_most,
    what="NVLink recoveries",
    applies=has_nvlink,
)
