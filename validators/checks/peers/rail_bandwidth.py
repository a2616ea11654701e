"""No rail of a node is slower than the rails of like nodes, and no rail is slower than the others on all nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.rail import RailBandwidth, RailSpeed
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("rail bandwidth", "rail bandwidth", "Gb/s", high=False, by="share")


def judge(peers: Sequence[tuple[Expectation, list[RailSpeed]]]) -> Mapping[str, Finding]:
    """Compare what every adapter reached with its best partner: a slow partner is not its fault."""
    best: dict[str, dict[tuple[str, str], RailSpeed]] = {expectation.node.name: {} for expectation, _ in peers}
    for one in (rail for _, rails in peers for rail in rails if rail.node in best):
        known = best[one.node].setdefault((one.adapter, _slot(one)), one)
        if one.gbits_per_s > known.gbits_per_s:
            best[one.node][one.adapter, _slot(one)] = one
    return compare.beside(
        [(expectation, _readings([*best[expectation.node.name].values()])) for expectation, _ in peers], CLAIM
    )


def _slot(one: RailSpeed) -> str:
    memory = "host memory" if one.accelerator is None else "accelerator memory"
    return f"{one.bytes} B {'both ways' if one.bidirectional else 'one way'}, {memory}"


def _readings(rails: Sequence[RailSpeed]) -> list[compare.Reading]:
    return [
        compare.Reading(f"{one.adapter} to {one.peer}", _slot(one), one.gbits_per_s, rail=one.adapter) for one in rails
    ]


def applies(expectation: Expectation) -> bool:
    """Nodes whose rails are measured one by one (`rail.bandwidth`)."""
    return loads.vendor_is(expectation, "nvidia") and bool(loads.rails(expectation))


CHECK = FleetCheck(
    title="Rails as fast as its peers'",
    reads=RailBandwidth,
    takes=lambda seen: seen.rails,
    judge=judge,
    applies=applies,
)
