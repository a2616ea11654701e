"""Copies from every accelerator reach host memory as fast as its link allows."""

from rackwright.compare import loads
from rackwright.compare.threshold import at_least, measured
from rackwright.model.evidence.load import Copies

CHECK = measured(
    reads=Copies,
    metric="copy.device_to_host_gbytes_per_s",
    readings=lambda _, record: {
        f"GPU {copy.source}": copy.gbytes_per_s for copy in record.copies if copy.direction == "device_to_host"
    },
    good=at_least,
    what="copy to host memory",
    tested="copy to host memory",
    applies=loads.runs_burns,
)
