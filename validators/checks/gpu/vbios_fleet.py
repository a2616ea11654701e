"""Accelerators of one product run the same VBIOS on the whole fleet."""

from collections.abc import Mapping, Sequence

from rackwright.compare import by_kind, fleet_readings
from rackwright.compare.applicability import has_capability
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


CHECK = FleetCheck(
    reads=Accelerators, takes=fleet_readings.accelerator_readings, judge=judge, applies=has_capability("vbios")
)
