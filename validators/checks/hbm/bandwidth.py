"""The memory of every accelerator is as fast as that of its kind."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.threshold import at_least, measured
from rackwright.model.evidence.load import MemoryBandwidth

CHECK = measured(
    reads=MemoryBandwidth,
    metric="hbm.copy_gbytes_per_s",
    readings=lambda _, record: compare.by_device(record, lambda device: compare.late_median(device.copy_gbytes_per_s)),
    good=at_least,
    what="memory copy within the accelerator",
    tested="memory copies",
    applies=loads.runs_burns,
)
