"""Every NVLink runs at the raw rate of its generation. Missing rates make the verdict inconclusive."""

from rackwright.compare.applicability import has_nvlink
from rackwright.compare.threshold import at_least, each_nvlink, threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="nvlink.mbytes_per_s",
    readings=each_nvlink(lambda device: device.nvlink_mbytes_per_s),
    good=at_least,
    what="NVLink rate in MB/s",
    applies=has_nvlink,
)
