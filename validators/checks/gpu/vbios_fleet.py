"""Accelerators of one product run the same VBIOS on the whole fleet."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import by_kind
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding

Versions = tuple[tuple[str, ...], tuple[tuple[str, str | None], ...]]
"""Names of accelerators; product and VBIOS of each."""


def judge(peers: Sequence[tuple[Expectation, Versions]]) -> Mapping[str, Finding]:
    """What most accelerators of a product have is expected of each."""
    source = "the peers: accelerators of one product"
    return by_kind.alike(
        peers,
        lambda _, seen: dict(zip(*seen, strict=True)),
        decides=lambda _, seen: seen[1],
        what="VBIOS of accelerator",
        source=source,
    )


def versions(seen: Accelerators) -> Versions:
    """By accelerator: its product, and its VBIOS, as columns."""
    found = compare.by_device(seen, lambda device: (device.product_name, device.vbios or None))
    return compare.shared(tuple(found)), compare.shared(tuple(found.values()))


def applies(expectation: Expectation) -> bool:
    """The tools of NVIDIA, AMD and Huawei show it."""
    vendors = ("nvidia", "amd", "huawei")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor in vendors


CHECK = FleetCheck(
    title="One VBIOS on the whole fleet", reads=Accelerators, takes=versions, judge=judge, applies=applies
)
