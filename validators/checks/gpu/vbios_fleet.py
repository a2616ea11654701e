"""Accelerators of one product run the same VBIOS on the whole fleet."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import network
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding

Versions = dict[str, tuple[str, str | None]]


def judge(peers: Sequence[tuple[Expectation, Versions]]) -> Mapping[str, Finding]:
    """What most accelerators of a product have is expected of each."""
    source = "the peers: accelerators of one product"
    return network.alike(peers, lambda _, seen: seen, what="VBIOS of accelerator", source=source)


def versions(seen: Accelerators) -> Versions:
    """By accelerator: its product, and its VBIOS."""
    return {
        name: (device.product_name, device.vbios or None)
        for name, device in compare.by_device(seen, lambda device: device).items()
    }


def applies(expectation: Expectation) -> bool:
    """The tools of NVIDIA, AMD and Huawei show it."""
    vendors = ("nvidia", "amd", "huawei")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor in vendors


CHECK = FleetCheck(
    title="One VBIOS on the whole fleet", reads=Accelerators, takes=versions, judge=judge, applies=applies
)
