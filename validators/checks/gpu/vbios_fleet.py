"""Accelerators of one product run the same VBIOS on the whole fleet."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, Accelerators]]) -> Mapping[str, Finding]:
    """What most accelerators of a product have is expected of each."""
    return network.alike(peers, read, what="VBIOS of accelerator", source="the peers: accelerators of one product")


def read(expectation: Expectation, seen: Accelerators) -> dict[str, tuple[str, str | None]]:
    """By accelerator: its product, and its VBIOS."""
    del expectation
    return {
        name: (device.product_name, device.vbios or None)
        for name, device in compare.by_device(seen, lambda device: device).items()
    }


def applies(expectation: Expectation) -> bool:
    """The tools of NVIDIA, AMD and Huawei show it."""
    vendors = ("nvidia", "amd", "huawei")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor in vendors


CHECK = FleetCheck(title="One VBIOS on the whole fleet", reads=Accelerators, judge=judge, applies=applies)
