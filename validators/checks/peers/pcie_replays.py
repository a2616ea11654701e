"""No accelerator repeats more packets on its host link than the accelerators of like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("pcie replays", "repeated PCIe packets", "packets", high=True, by="count")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare all accelerators of all nodes; a slot that stands out on every node is named as a rail."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Accelerators) -> compare.Readings:
    return compare.readings(
        compare.by_device(seen, lambda device: device.index),
        ["GPU"] * len(seen.devices),
        [device.pcie_replays for device in seen.devices],
        rails=[f"GPU {device.index}" for device in seen.devices],
    )


def applies(expectation: Expectation) -> bool:
    """Only NVIDIA's library counts them."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor == "nvidia"


CHECK = FleetCheck(
    title="No more PCIe replays than its peers",
    reads=Accelerators,
    takes=_readings,
    judge=judge,
    applies=applies,
)
