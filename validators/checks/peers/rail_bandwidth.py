"""No rail of a node is slower than the rails of like nodes, and no rail is slower than the others on all nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare import loads, node_pairs
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.rail import RailBandwidth
from rackwright.model.verdict import Finding

CLAIM = compare.Claim("rail bandwidth", "rail bandwidth", "Gb/s", high=False, by="share")


def judge(peers: Sequence[tuple[Expectation, node_pairs.RailTests]]) -> Mapping[str, Finding]:
    """Compare the rate of every adapter with its best partner, so that a slow partner does not count."""
    best: dict[str, dict[tuple[str, str], node_pairs.RailTest]] = {
        expectation.node.name: {} for expectation, _ in peers
    }
    for test in (test for _, tests in peers for test in tests.each() if test.node in best):
        fastest = best[test.node].setdefault((test.adapter, test.slot), test)
        if test.value > fastest.value:
            best[test.node][test.adapter, test.slot] = test
    return compare.compare_with_peers(
        [(expectation, _readings([*best[expectation.node.name].values()])) for expectation, _ in peers], CLAIM
    )


def _readings(tests: Sequence[node_pairs.RailTest]) -> compare.Readings:
    return compare.readings(
        [f"{test.adapter} to {test.peer}" for test in tests],
        [test.slot for test in tests],
        [test.value for test in tests],
        rails=[test.adapter for test in tests],
    )


CHECK = FleetCheck(
    reads=RailBandwidth,
    takes=node_pairs.rail_speeds,
    judge=judge,
    applies=loads.runs_rail_tests,
)
