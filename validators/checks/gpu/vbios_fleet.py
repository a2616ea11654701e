"""Accelerators of one product run the same VBIOS on the whole fleet."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import by_kind, fleet_readings
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, fleet_readings.Cards]]) -> Mapping[str, Finding]:
    """Compare every accelerator with most accelerators of its product."""
    source = "the peers: accelerators of one product"
    return by_kind.compare_parts(
        peers,
        lambda _, record: dict(zip(record.names, record.versions, strict=True)),
        decides=lambda _, cards: cards.versions,
        what="VBIOS of accelerator",
        source=source,
    )


def applies(expectation: Expectation) -> bool:
    """Parts of NVIDIA, AMD and Huawei, whose tools report it."""
    vendors = ("nvidia", "amd", "huawei")
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).vendor in vendors


CHECK = FleetCheck(reads=Accelerators, takes=fleet_readings.accelerator_readings, judge=judge, applies=applies)
