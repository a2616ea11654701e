"""Under the same load no accelerator runs slower clocks than those of like nodes."""

from collections.abc import Mapping

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.loads import name
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("burn clock", "clock under load", "MHz", high=False, by="share")


def judge(peers: compare.Fleet) -> Mapping[str, Finding]:
    """Compare the second half of the burn over all accelerators of all nodes."""
    return compare.beside(peers, CLAIM)


def _readings(seen: Burn) -> compare.Readings:
    values = [compare.middle(compare.latter(one.samples.sm_clock_mhz)) for one in seen.devices]
    return compare.readings(map(name, seen.devices), ["GPU"] * len(values), values)


CHECK = FleetCheck(
    title="Clocks under load like its peers", reads=Burn, takes=_readings, judge=judge, applies=loads.runs_burns
)
