"""Under the same load no accelerator is hotter than those in the same position of like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.loads import name
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("burn temperature", "temperature under load", "celsius", high=True, by="kelvin")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the second half of the burn, when heat has settled, by position in the chassis."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Burn) -> compare.Readings:
    return compare.readings(
        map(name, seen.devices),
        [f"GPU {one.index}" for one in seen.devices],
        [compare.middle(compare.latter(one.samples.temperature_celsius)) for one in seen.devices],
    )


CHECK = FleetCheck(
    title="As cool under load as its peers", reads=Burn, takes=_readings, judge=judge, applies=loads.runs_burns
)
