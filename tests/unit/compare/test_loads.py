"""What checks of load tests share: ways of collectives, rows that are judged, shares of the network, several findings as one."""

from __future__ import annotations

import pytest

from rackwright import compare
from rackwright.compare import loads, smoke
from rackwright.compare.node_pairs import collective_groups, rail_delays, rail_speeds
from rackwright.compare.quantity import cores
from rackwright.model.evidence.collective import Collective, CollectiveRow, Collectives, Rank
from rackwright.model.evidence.rail import RailBandwidth, RailDelay, RailLatency, RailSpeed
from rackwright.model.evidence.storage import FileSpeed
from rackwright.model.verdict import Outcome
from tests import build

GIB = 2**30
ONE = build.expectation()
BARE = build.expectation("slurm-01")


def row(size: int = GIB, *, in_place: bool = False, **change) -> CollectiveRow:
    healthy = {"microseconds": 1.0, "algbw_gbytes_per_s": 2.0, "busbw_gbytes_per_s": 30.0, "wrong": 0}
    return CollectiveRow(**({"bytes": size, "in_place": in_place} | healthy | change))


def collective(*ways: str, nodes: int = 1, rows=None, **change) -> Collective:
    """One rank on one of `nodes` after another for each of `ways`, which are words."""
    names = [f"n{number}" for number in range(nodes)]
    ranks = [
        Rank(
            rank=number,
            node=names[number * nodes // len(ways)],
            device=number,
            pci_bus_id="",
            product_name="",
            transports=way.split(),
            adapters=[],
            gpudirect=None,
        )
        for number, way in enumerate(ways)
    ]
    base = build.healthy_record(Collectives).results[0]
    return base.model_copy(
        update={
            "collective": "all_reduce",
            "nodes": names,
            "ranks": ranks,
            "rows": [row()] if rows is None else rows,
            "iterations": 10,
        }
        | change
    )


@pytest.mark.parametrize(
    ("ways", "way"),
    [
        (["p2p", "p2p"], "p2p"),
        (["p2p", ""], ""),
        (["nvls p2p", "p2p"], "p2p"),
        (["nvls p2p", "nvls p2p"], "nvls"),
        (["nvls", "p2p"], ""),
        (["mnnvl nvls", "mnnvl"], "mnnvl"),
        (["p2p", "p2p shm"], "shm"),
        (["infiniband p2p", "mnnvl p2p"], "infiniband"),
        (["infiniband", "roce", "efa"], "efa"),
        (["infiniband", "roce"], "roce"),
        (["efa", "ethernet", "infiniband"], "ethernet"),
        (["ethernet", "other"], "other"),
        (["other", "socket"], "socket"),
    ],
)
def test_the_way_that_is_proven_for_every_rank(ways, way) -> None:
    assert loads.proven_transport(collective(*ways)) == way


@pytest.mark.parametrize(
    ("series", "settle", "share"),
    [
        ([9, 9, 4, 4, 4, 4, 4, 4, 3, 3], 0.2, 0.75),
        ([1, 2, 3], 0.3, None),
        ([0, 0, 0, 0], 0.25, None),
        ([1, 0.5, 2, 1], 0.25, 2.0),
        ([1, None, 2, 1], 0.25, None),
        ([1, 2, 2, None], 0.25, None),
        ([], 0.25, None),
    ],
)
def test_the_share_of_a_rate_at_its_end(series, settle, share) -> None:
    assert loads.kept_share(series, settle) == share


def test_who_runs_what() -> None:
    words = {"amd": ["load_tests", "tests_between_nodes"], "huawei": ["load_tests"], "intel": []}
    amd, huawei, intel = (
        build.expectation(part={"vendor": vendor, "capabilities": mine}) for vendor, mine in words.items()
    )
    for test in (loads.runs_burns, loads.runs_collectives, smoke.runs_smoke_jobs):
        assert list(map(test, (ONE, amd, huawei, intel, BARE))) == [True, True, True, False, False]
    assert list(map(loads.runs_between, (ONE, amd, huawei, BARE))) == [True, True, False, False]
    assert list(map(loads.runs_collectives, (build.expectation(place={"accelerators": n}) for n in (1, 2)))) == [
        False,
        True,
    ]
    assert [loads.runs_rail_tests(node) for node in (ONE, amd, BARE)] == [True, False, False]
    assert [loads.mounts_storage(node) for node in (ONE, BARE, build.expectation(server={"ports": []}))] == [
        True,
        False,
        False,
    ]


def test_rails_are_the_ports_of_the_compute_fabric() -> None:
    assert list(loads.planned_rails(ONE)) == [f"mlx5_{number}" for number in (0, 3, 4, 5, 6, 9, 10, 11)]
    assert [(port, link.port) for port, link in loads.planned_rails(ONE).items() if port != link.port] == []


def test_a_job_with_errors_is_no_job() -> None:
    first, failed = (
        FileSpeed(job=job, path="/", block_bytes=1, gbytes_per_s=speed, operations_per_s=1, errors=errors)
        for job, speed, errors in (("read", 1.0, 0), ("write", 2.0, 3))
    )
    assert loads.find_job([failed, first], "read") == first
    assert loads.find_job([failed, first], "write") is None
    assert loads.find_job([failed, first.model_copy(update={"job": "write"})], "write").gbytes_per_s == 1.0
    assert loads.find_job([], "read") is None


def test_rows_that_are_judged_and_how_they_are_printed() -> None:
    rows = [row(GIB - 1), row(), row(8 * GIB, busbw_gbytes_per_s=123.456), row(2 * GIB, in_place=True), row(64 * 2**20)]
    result = collective("p2p", rows=rows)
    assert loads.large_rows(result) == [rows[1], rows[2]]
    assert loads.bandwidth_curve(result) == "1023MiB 30, 1GiB 30, 8GiB 123.5, 64MiB 30"
    assert loads.size_name(rows[2]) == "8GiB"


@pytest.mark.parametrize(
    ("counts", "wrong"),
    [
        ([(0, False), (0, True)], 0),
        ([(0, False), (None, True)], 0),
        ([(0, False), (None, False)], None),
        ([(2, False), (None, False), (3, True)], 5),
        ([(None, False)], None),
        ([(0, True)], None),
        ([], None),
    ],
)
def test_wrong_elements_of_all_sizes(counts, wrong) -> None:
    rows = [row(wrong=count, in_place=in_place) for count, in_place in counts]
    assert loads.wrong_elements(collective("p2p", rows=rows)) == wrong


@pytest.mark.parametrize(("operation", "gbytes"), [("all_reduce", 30 * 2 / 11), ("all_to_all", 30 * 8 / 11)])
def test_what_the_network_carries_of_a_collective(operation, gbytes) -> None:
    result = collective(*["infiniband"] * 12, nodes=3, collective=operation, rows=[row(), row(4 * GIB)])
    assert loads.wire_bandwidth(result, result.rows[0]) == pytest.approx(gbytes)
    assert loads.sent_bytes(result, "n1") == pytest.approx(4 * 10 * 5 * GIB / 2 * gbytes)
    assert loads.sent_bytes(result, "n3") == 0
    slow = result.model_copy(update={"rows": [row(algbw_gbytes_per_s=0.0)], "iterations": 3})
    assert loads.sent_bytes(slow, "n1") == 0
    assert loads.sent_bytes(result.model_copy(update={"iterations": None}), "n1") == 0


@pytest.mark.parametrize(
    ("ways", "nodes", "rows", "reached", "large"),
    [
        (["infiniband"] * 4, 2, [row(), row(8 * GIB, busbw_gbytes_per_s=60.0)], 20.0, True),
        (["mnnvl"] * 4, 2, [row(busbw_gbytes_per_s=60.0)], 60.0, True),
        (["mnnvl"] * 4, 1, [row(busbw_gbytes_per_s=60.0)], 0.0, True),
        (["infiniband", ""] * 2, 2, [row()], 0.0, True),
        (["infiniband"] * 4, 2, [row(GIB - 1)], 0.0, False),
        (["mnnvl"] * 4, 2, [row(busbw_gbytes_per_s=float("inf"))], float("inf"), False),
    ],
)
def test_what_a_group_of_nodes_reached(ways, nodes, rows, reached, large) -> None:
    [group] = collective_groups(Collectives(results=[collective(*ways, nodes=nodes, rows=rows)]))
    assert (group.collective, group.nodes, group.ranks) == ("all_reduce", ("n0", "n1")[:nodes], 4)
    assert (group.reached, group.large) == (reached, large)
    assert group.transport == loads.proven_transport(collective(*ways))
    assert group.curve == loads.bandwidth_curve(collective(*ways, rows=rows))


def test_a_test_of_a_rail_is_compared_with_those_of_its_size_direction_and_memory() -> None:
    rail = build.healthy_record(RailBandwidth).rails[0]
    changes = [{"accelerator": 3, "bidirectional": True}, {"accelerator": None, "bidirectional": False, "bytes": 9}]
    record = RailBandwidth(tool="", rails=[RailSpeed(**(rail.model_dump() | change)) for change in changes])
    first, second = rail_speeds(record).each()
    assert (first.slot, first.memory) == (f"{rail.bytes} B both ways, accelerator memory", "GPU 3")
    assert (second.slot, second.memory) == ("9 B one way, host memory", "host memory")
    assert list(rail_speeds(RailBandwidth(tool="", rails=[])).each()) == []


def test_a_latency_of_a_rail_is_its_typical_one() -> None:
    delay = RailDelay(
        node="n0", adapter="a", peer="n1", bytes=2, microseconds_typical=1.5, microseconds_99=3, microseconds_most=9
    )
    [test] = rail_delays(RailLatency(tool="", rails=[delay])).each()
    assert test == ("n0", "a", "n1", 1.5, "", "")


def speed(outcome: Outcome, observed: str = "it"):
    return compare.finding(ONE, outcome, what="speed", observed=observed, expected="more", source="here")


@pytest.mark.parametrize("outcome", [Outcome.PASS, Outcome.DEGRADED, Outcome.FAIL])
def test_findings_that_say_the_same_are_said_together(outcome) -> None:
    best = speed(Outcome.PASS, "good")
    finding = loads.combine_findings(
        [best, speed(outcome, "a"), speed(outcome, ""), speed(outcome, "b"), speed(outcome, "a")]
    )
    says = [f"speed {observed}; expected more (here)" for observed in ("a", "", "b", "a")]
    if outcome is Outcome.PASS:
        says = ["speed good; expected more (here)", *says]
    assert finding.outcome == outcome
    assert finding.says == f"train-001: {'; '.join(says)}"
    assert finding.observed == ("good; a; b" if outcome is Outcome.PASS else "a; b")


def test_too_few_accelerators_are_no_test() -> None:
    assert loads.untested_finding(ONE, 8, "burn") is None
    assert loads.untested_finding(ONE, 16, "burn", nodes=2) is None
    finding = loads.untested_finding(ONE, 15, "burn", nodes=2)
    assert finding.outcome == Outcome.INCONCLUSIVE
    assert finding.says == (
        "train-001: burn 15 of 16 accelerators took part; expected all 16 (design of the node)"
    )  # fmt: skip
    assert finding.observed == "15 of 16 accelerators took part"


def test_a_test_that_covered_too_little_does_not_fail_a_part() -> None:
    outcomes = {outcome: loads.no_worse_than_unknown(outcome) for outcome in Outcome}
    assert {before for before, after in outcomes.items() if before != after} == {Outcome.FAIL}
    assert outcomes[Outcome.FAIL] == Outcome.INCONCLUSIVE


def test_digests_that_agree() -> None:
    digests = {"a first": "1", "b first": "1", "c first": "2", "d first": None, "a last": "1", "b last": "2"}
    assert smoke.agreement_states(digests) == {
        "a first": "agrees",
        "b first": "agrees",
        "c first": "differs",
        "d first": None,
        "a last": "differs",
        "b last": "differs",
    }
    assert loads.commonest({"a one": "1", "b phone": "2", "c phone": "2"}, "one") == "1"


@pytest.mark.parametrize(
    ("text", "cpus"),
    [("220", 220), ("219500m", 219.5), ("0.5", 0.5), ("1.25m", 0.00125), ("1.", None), ("m", None), ("2k", None)],
)
def test_cpus_as_kubernetes_writes_them(text, cpus) -> None:
    assert cores(text) == cpus
