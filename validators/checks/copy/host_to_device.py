"""Copies from host memory reach every accelerator as fast as its link allows."""

from rackwright.compare import loads
from rackwright.compare.threshold import at_least, measured
from rackwright.model.evidence.load import Copies

CHECK = measured(
    reads=Copies,
    metric="copy.host_to_device_gbytes_per_s",
    readings=lambda _, record: {
        f"GPU {copy.target}": copy.gbytes_per_s for copy in record.copies if copy.direction == "host_to_device"
    },
    good=at_least,
    what="copy from host memory",
    tested="copy from host memory",
    applies=loads.runs_burns,
)
