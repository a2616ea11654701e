"""No accelerator is hotter than the accelerators in the same position of like nodes, at the same performance state."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("accelerator temperature", "accelerator temperature", "celsius", high=True, by="kelvin")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare every position of the chassis over all nodes; idle parts with idle parts."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Accelerators) -> compare.Readings:
    return compare.readings(
        compare.by_device(seen, lambda device: device.index),
        [f"GPU {device.index} at P{device.performance_state}" for device in seen.devices],
        [device.temperature_celsius for device in seen.devices],
    )


CHECK = FleetCheck(
    title="As cool as its peers", reads=Accelerators, takes=_readings, judge=judge, applies=compare.has_accelerators
)
