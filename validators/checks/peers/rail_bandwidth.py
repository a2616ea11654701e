"""No rail of a node is slower than the rails of like nodes, and no rail is slower than the others on all nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.rail import RailBandwidth
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("rail bandwidth", "rail bandwidth", "Gb/s", high=False, by="share")


def judge(peers: Sequence[tuple[Expectation, RailBandwidth]]) -> Mapping[str, Finding]:
    """Compare all adapters of all nodes at one size and in one direction; the rail is the adapter's name."""
    return compare.beside([(expectation, _readings(seen)) for expectation, seen in peers], CLAIM)


def _readings(seen: RailBandwidth) -> list[compare.Reading]:
    return [
        compare.Reading(
            f"{one.adapter} to {one.peer}",
            f"{one.bytes} B, {'both ways' if one.bidirectional else 'one way'}, {'host' if one.accelerator is None else 'accelerator'}",
            one.gbits_per_s,
            rail=one.adapter,
        )
        for one in seen.rails
    ]


CHECK = FleetCheck(
    title="Rails as fast as its peers'", reads=RailBandwidth, judge=judge, applies=compare.has_accelerators
)
