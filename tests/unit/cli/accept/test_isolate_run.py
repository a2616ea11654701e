"""Tests of an isolation on machines: what is started, and how what they tell becomes shares."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from rackwright.base.errors import UsageError
from rackwright.cli.accept.isolate_run import MachineTester, collectors
from rackwright.collect.store.reading import ParsedAnswer
from rackwright.compare import loads
from rackwright.isolate.conclude import conclude_isolation
from rackwright.isolate.conduct import conduct_isolation
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.parts import PartIds
from rackwright.isolate.paths import SwitchPaths
from rackwright.isolate.setup import set_up
from rackwright.isolate.trial import Trial
from rackwright.model.evidence.collective import Collectives
from rackwright.model.evidence.rail import RailBandwidth, RailRing
from tests import build

WIRE = 50.0
"""GB/s per accelerator of a good group; the limit for H100 is below."""


class Fake:
    """Answers like the tools; `slow` nodes lose a share of everything, `slow` adapters of a node that rail alone.

    `silent`: a node that sends nothing, while the test as a whole ends well.
    `crossed`: an adapter and what is left of flows between it and other rails, as behind a cable of its leaf that loses packets.
    """

    def __init__(self, slow=(), path=True, error="", crossed=("", 1.0), silent="", speed=392.0, **ring):
        self.slow, self.path, self.error, self.asked, self.crossed = dict(slow), path, error, [], crossed
        self.silent, self.speed, self.ring = silent, speed, ring

    def round(self, tests):
        nodes = [node for test in tests for node in test.nodes]
        assert len(nodes) == len(set(nodes)), "a node in two tests at once"
        self.asked += tests
        return [(test, self._answer(test)) for test in tests]

    def _answer(self, test):
        if self.error:
            return ParsedAnswer(None, "", self.error)
        if test.collector == "rail_ring":
            return ParsedAnswer(self._ring(test), "sha256:0", "")
        rails = [word.partition("=")[0] for word in test.words.get("rails", "").split()]
        value = self._rails(test, rails) if test.collector == "rail_bandwidth" else self._collectives(test)
        return ParsedAnswer(value, "sha256:0", "")

    def _collectives(self, test):
        collectives = build.healthy_record(Collectives)
        pattern = next(measured for measured in collectives.results if measured.collective == "all_reduce")
        ranks = [
            pattern.ranks[0].model_copy(
                update={"rank": at, "node": test.nodes[at // 8], **({} if self.path else {"transports": []})}
            )
            for at in range(8 * len(test.nodes))
        ]
        result = pattern.model_copy(update={"nodes": list(test.nodes), "ranks": ranks})
        lost = max((loss for (node, _), loss in self.slow.items() if node in test.nodes), default=0.0)
        factor = WIRE * (1 - lost) / loads.wire_bandwidth(result, loads.large_rows(result)[-1])
        rows = [row.model_copy(update={"busbw_gbytes_per_s": row.busbw_gbytes_per_s * factor}) for row in result.rows]
        return Collectives(results=[result.model_copy(update={"rows": rows})])

    def _rails(self, test, rails):
        pattern = build.healthy_record(RailBandwidth)
        speeds = [
            pattern.rails[0].model_copy(
                update={
                    "node": a,
                    "peer": b,
                    "adapter": rail,
                    "gbits_per_s": self.speed * (1 - self._lost(test.nodes, rail)),
                }
            )
            for a, b in (test.nodes, test.nodes[::-1])
            if a != self.silent
            for rail in rails
        ]
        return pattern.model_copy(update={"rails": speeds})

    def _ring(self, test):
        pattern = build.healthy_record(RailRing)
        flows = []
        for word in test.words["flows"].split():
            a, port, _, b, to, _ = word.split("/")
            assert {a, b} <= set(test.nodes)
            lost = max(self._lost([a], port), self._lost([b], to))
            share = self.crossed[1] if port != to and self.crossed[0] in (port, to) else 1.0
            flow = {
                "node": a,
                "adapter": port,
                "peer": b,
                "peer_adapter": to,
                "gbits_per_s": 388.0 * (1 - lost) * share,
            }
            flows.append(pattern.flows[0].model_copy(update={**flow, **self.ring}))
        return pattern.model_copy(update={"flows": flows})

    def _lost(self, nodes, rail):
        return max(
            (loss for (node, port), loss in self.slow.items() if node in nodes and port in (rail, "")), default=0.0
        )


@pytest.fixture(scope="module")
def setup():
    return set_up(build.site_design(), build.limit_table())


def machines(setup, testing):
    names = setup.atoms.wiring.nodes
    return MachineTester(build.site_design(), setup.atoms, {name: build.expected(name) for name in names}, testing)


def searched(setup, testing):
    isolation = Isolation(setup.atoms, setup.settings, setup.screens)
    conduct_isolation(isolation, machines(setup, testing))
    return conclude_isolation(isolation)


def test_a_search_over_good_machines_is_clean_and_covers_every_cable(setup):
    verdict = searched(setup, Fake())
    assert verdict.clean
    assert len(verdict.cleared) == 31
    assert verdict.coverage.untested == ()


def test_a_bad_cable_above_a_leaf_is_named_by_tests_from_rail_to_rail(setup):
    """mlx5_3 is the second rail: whatever leaves its leaf is slow, and everything that stays behind it is well."""
    verdict = searched(setup, Fake(crossed=("mlx5_3", 0.7)))
    (cable,) = verdict.faulty_parts
    leaf = setup.atoms.wiring.switches[setup.atoms.wiring.leaf[0, 1]]
    assert cable.part.kind == "cable"
    assert {name.partition(":")[0] for name in cable.part.names} == {leaf}
    assert (len(verdict.cleared), verdict.faulty) == (31, ())


@pytest.mark.parametrize(
    ("slow", "kind", "name"),
    [(("train-005", "mlx5_4"), "rail", "train-005/mlx5_4"), (("train-009", ""), "node", "train-009")],
)
def test_what_is_slow_is_named(setup, slow, kind, name):
    verdict = searched(setup, Fake({slow: 0.3}))
    assert [(fault.part.kind, fault.part.names) for fault in verdict.faulty_parts] == [(kind, (name,))]
    assert len(verdict.cleared) == 30


def test_a_pair_is_asked_as_a_whole_and_rail_by_rail(setup):
    testing = Fake()
    outcome = machines(setup, testing).run([Trial((0, 1))])[0]
    assert [request.collector for request in testing.asked] == ["nccl_group", "rail_bandwidth"]
    assert outcome.share == pytest.approx(1.0)
    assert sorted(outcome.rails) == list(range(8))


def test_some_rails_of_a_pair_are_asked_alone(setup):
    testing = Fake()
    outcome = machines(setup, testing).run([Trial((0, 1), rails=(2,))])[0]
    assert [(request.collector, request.words["rails"]) for request in testing.asked] == [
        ("rail_bandwidth", "mlx5_4=2")
    ]
    assert outcome.share is None
    assert list(outcome.rails) == [2]
    assert outcome.ran


@pytest.mark.parametrize(
    ("testing", "why"),
    [(Fake(path=False), "no path is proven"), (Fake(error="srun: node is down"), "srun: node is down")],
)
def test_without_proof_or_answer_a_test_did_not_run(setup, testing, why):
    outcome = machines(setup, testing).run([Trial((0, 1, 2))])[0]
    assert not outcome.ran
    assert why in outcome.why


def test_a_test_from_rail_to_rail_starts_with_the_adapter_of_each_end(setup):
    testing = Fake()
    outcome = machines(setup, testing).run([Trial((0, 1), shift=1, rails=(0, 7))])[0]
    (request,) = testing.asked
    assert request.collector == "rail_ring"
    assert request.words["flows"].split() == [
        "train-001/mlx5_0/0/train-002/mlx5_3/1",
        "train-002/mlx5_0/0/train-001/mlx5_3/1",
        "train-001/mlx5_11/7/train-002/mlx5_0/0",
        "train-002/mlx5_11/7/train-001/mlx5_0/0",
    ]
    assert outcome.share is None
    assert sorted(outcome.rails) == [0, 7]


def test_two_nodes_that_call_their_rails_differently_are_a_ring(setup):
    """Two kinds of server in one fabric: each end has its own name."""
    wiring = setup.atoms.wiring
    rails = (wiring.rails[0], ("mlx5_3", "mlx5_0", *wiring.rails[1][2:]), *wiring.rails[2:])
    renamed = replace(wiring, rails=rails)
    mixed = replace(setup, atoms=PartIds(renamed, SwitchPaths(renamed)))
    testing = Fake()
    outcome = machines(mixed, testing).run([Trial((0, 1))])[0]
    assert [request.collector for request in testing.asked] == ["nccl_group", "rail_ring"]
    assert testing.asked[1].words["flows"].split()[0] == "train-001/mlx5_0/0/train-002/mlx5_3/1"
    assert sorted(outcome.rails) == list(range(8))


def test_a_group_is_asked_as_a_whole_and_all_its_rails_at_once(setup):
    testing = Fake()
    outcome = machines(setup, testing).run([Trial((0, 1, 2)), Trial((3, 4, 5), rails=(2, 5))])
    assert [request.collector for request in testing.asked] == ["nccl_group", "rail_ring", "rail_ring"]
    assert sorted(outcome[0].rails) == list(range(8))
    assert (outcome[1].share, sorted(outcome[1].rails)) == (None, [2, 5])


def test_a_rail_of_which_a_flow_is_missing_or_went_another_way_is_no_reading(setup):
    trial = Trial((0, 1), shift=1, rails=(3,))
    assert machines(setup, Fake()).run([trial])[0].ran
    for wrong in ({"node": "train-001", "peer": "train-002"}, {"reported_bytes": 1000, "sent_bytes": 400}):
        outcome = machines(setup, Fake(**wrong)).run([trial])[0]
        assert (outcome.ran, outcome.why) == (False, "no rail was measured as a whole")


def test_a_rail_that_one_end_is_silent_of_or_that_is_no_number_is_no_reading(setup):
    for fake in (Fake(silent="train-002"), Fake(speed=float("nan")), Fake(speed=4000.0)):
        assert dict(machines(setup, fake).run([Trial((0, 1))])[0].rails) == {}


def test_a_test_whose_collective_failed_did_not_run_whatever_its_rails_reach(setup):
    outcome = machines(setup, Fake(path=False)).run([Trial((0, 1))])[0]
    assert (outcome.ran, dict(outcome.rails)) == (False, {})


def test_collectives_inside_a_domain_leave_the_fabric_to_the_rails(setup, monkeypatch):
    monkeypatch.setattr(loads, "proven_transport", lambda _: "mnnvl")
    fabric, nvlink = machines(setup, Fake()).run([Trial((0, 1, 2)), Trial((3, 4, 5), over="nvlink")])
    assert (fabric.share, sorted(fabric.rails)) == (None, list(range(8)))
    assert "no limit for collective.domain" in nvlink.why


@pytest.mark.parametrize(("maker", "test"), [("tenstorrent", ""), ("quark", "quark_group")])
def test_which_test_over_nodes_runs_is_data_of_the_maker(maker, test):
    """One without a test is refused; one that a site brings has its own."""
    of_node = SimpleNamespace(accelerator=SimpleNamespace(vendor=maker))
    design = SimpleNamespace(node=lambda _: of_node, vendors={maker: SimpleNamespace(group_test=test)})
    if test:
        assert collectors(design, ["n1"])[0] == test
        return
    with pytest.raises(UsageError, match="tenstorrent"):
        collectors(design, ["n1"])
