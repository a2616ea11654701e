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


def _readings(seen: Accelerators) -> list[compare.Reading]:
    names = list(compare.by_device(seen, lambda device: device.index))
    return [
        compare.Reading(name, "GPU", device.pcie_replays, rail=f"GPU {device.index}")
        for name, device in zip(names, seen.devices, strict=True)
    ]


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
