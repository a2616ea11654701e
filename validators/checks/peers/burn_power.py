"""Under the same load no accelerator draws less power than those of like nodes: one that does, works less."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.loads import name
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.load import Burn
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("burn power", "power under load", "W", high=False, by="share")


def judge(peers: Sequence[tuple[Expectation, Burn]]) -> Mapping[str, Finding]:
    """Compare the second half of the burn over all accelerators of all nodes."""
    return compare.beside([(expectation, _readings(seen)) for expectation, seen in peers], CLAIM)


def _readings(seen: Burn) -> list[compare.Reading]:
    return [
        compare.Reading(name(device), "GPU", compare.settled([sample.power_watts for sample in device.samples]))
        for device in seen.devices
    ]


CHECK = FleetCheck(title="Power under load like its peers", reads=Burn, judge=judge, applies=compare.has_accelerators)
