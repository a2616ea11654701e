"""No accelerator copies its own memory slower than those of like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import fleet_readings, loads
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.load import MemoryBandwidth
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("memory bandwidth", "memory bandwidth", "GB/s", high=False, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the median repetition over all accelerators of all nodes, for buffers of one size."""
    return compare.compare_with_peers(peers, CLAIM)


def _readings(record: MemoryBandwidth) -> compare.Readings:
    return compare.readings(
        fleet_readings.device_names(record.devices),
        [f"{device.bytes} B" for device in record.devices],
        [compare.middle(device.copy_gbytes_per_s) for device in record.devices],
    )


CHECK = FleetCheck(
    reads=MemoryBandwidth,
    takes=_readings,
    judge=judge,
    applies=loads.runs_burns,
)
