"""No NVLink has replayed more packets than the limit. Missing counters make the verdict inconclusive."""

from rackwright.compare.applicability import has_nvlink
from rackwright.compare.threshold import at_most, each_nvlink, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="nvlink.replays",
    readings=each_nvlink(lambda device: device.nvlink_replays),
    good=at_most,
    what="NVLink replays",
    applies=has_nvlink,
)
