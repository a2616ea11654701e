"""Tests of an isolation on machines: what is started, and how what they tell becomes shares."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rackwright.cli.isolate_run import Machines, collectors
from rackwright.collect.reading import Reading
from rackwright.compare import loads
from rackwright.errors import UsageError
from rackwright.isolate.conclude import conclude
from rackwright.isolate.conduct import conduct
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.setup import ready
from rackwright.isolate.trial import Trial
from rackwright.model.evidence.collective import Collectives
from rackwright.model.evidence.rail import RailBandwidth
from tests import build

WIRE = 50.0
"""GB/s per accelerator of a good group; the limit for H100 is below."""


class Fake:
    """Answers like the tools; `slow` nodes lose a share of everything, `slow` adapters of a node that rail alone."""

    def __init__(self, slow=(), path=True, error=""):
        self.slow, self.path, self.error, self.asked = dict(slow), path, error, []

    def round(self, tests):
        nodes = [node for test in tests for node in test.nodes]
        assert len(nodes) == len(set(nodes)), "a node in two tests at once"
        self.asked += tests
        return [(test, self._told(test)) for test in tests]

    def _told(self, test):
        if self.error:
            return Reading(None, "", self.error)
        rails = [word.partition("=")[0] for word in test.words["rails"].split()]
        value = self._rails(test, rails) if test.collector == "rail_bandwidth" else self._whole(test)
        return Reading(value, "sha256:0", "")

    def _whole(self, test):
        seen = build.seen(Collectives)
        pattern = next(one for one in seen.results if one.collective == "all_reduce")
        ranks = [
            pattern.ranks[0].model_copy(
                update={"rank": at, "node": test.nodes[at // 8], **({} if self.path else {"transports": []})}
            )
            for at in range(8 * len(test.nodes))
        ]
        result = pattern.model_copy(update={"nodes": list(test.nodes), "ranks": ranks})
        lost = max((loss for (node, _), loss in self.slow.items() if node in test.nodes), default=0.0)
        factor = WIRE * (1 - lost) / loads.wire(result, loads.large(result)[-1])
        rows = [row.model_copy(update={"busbw_gbytes_per_s": row.busbw_gbytes_per_s * factor}) for row in result.rows]
        return Collectives(results=[result.model_copy(update={"rows": rows})])

    def _rails(self, test, rails):
        pattern = build.seen(RailBandwidth)
        speeds = [
            pattern.rails[0].model_copy(
                update={
                    "node": a,
                    "peer": b,
                    "adapter": rail,
                    "gbits_per_s": 392.0 * (1 - self._lost(test.nodes, rail)),
                }
            )
            for a, b in (test.nodes, test.nodes[::-1])
            for rail in rails
        ]
        return pattern.model_copy(update={"rails": speeds})

    def _lost(self, nodes, rail):
        return max(
            (loss for (node, port), loss in self.slow.items() if node in nodes and port in (rail, "")), default=0.0
        )


@pytest.fixture(scope="module")
def made():
    return ready(build.site_design(), build.limit_table(), across=False)


def machines(made, testing):
    names = made.atoms.wiring.nodes
    return Machines(build.site_design(), made.atoms.wiring, {name: build.expected(name) for name in names}, testing)


def test_a_search_over_good_machines_is_clean_but_for_what_needs_a_shift(made):
    isolation = Isolation(made.atoms, made.known, made.screens)
    conduct(isolation, machines(made, Fake()))
    verdict = conclude(isolation)
    assert len(verdict.cleared) == 31
    assert verdict.found == ()
    assert {one.part.kind for one in verdict.coverage.untested} == {"cable", "switch"}, "no test here crosses rails"


@pytest.mark.parametrize(
    ("slow", "kind", "name"),
    [(("train-005", "mlx5_4"), "rail", "train-005/mlx5_4"), (("train-009", ""), "node", "train-009")],
)
def test_what_is_slow_is_named(made, slow, kind, name):
    isolation = Isolation(made.atoms, made.known, made.screens)
    conduct(isolation, machines(made, Fake({slow: 0.3})))
    verdict = conclude(isolation)
    assert [(one.part.kind, one.part.names) for one in verdict.found] == [(kind, (name,))]
    assert len(verdict.cleared) == 30


def test_a_pair_is_asked_as_a_whole_and_rail_by_rail(made):
    testing = Fake()
    told = machines(made, testing).run([Trial((0, 1))])[0]
    assert [one.collector for one in testing.asked] == ["nccl_group", "rail_bandwidth"]
    assert told.share == pytest.approx(1.0)
    assert sorted(told.rails) == list(range(8))


def test_some_rails_of_a_pair_are_asked_alone(made):
    testing = Fake()
    told = machines(made, testing).run([Trial((0, 1), rails=(2,))])[0]
    assert [(one.collector, one.words["rails"]) for one in testing.asked] == [("rail_bandwidth", "mlx5_4=2")]
    assert told.share is None
    assert list(told.rails) == [2]
    assert told.ran


@pytest.mark.parametrize(
    ("testing", "why"),
    [(Fake(path=False), "no path is proven"), (Fake(error="srun: node is down"), "srun: node is down")],
)
def test_without_proof_or_answer_a_test_did_not_run(made, testing, why):
    told = machines(made, testing).run([Trial((0, 1, 2))])[0]
    assert not told.ran
    assert why in told.why


def test_what_nothing_can_start_did_not_run(made):
    told = machines(made, Fake()).run([Trial((0, 1), shift=1), Trial((2, 3, 4), rails=(1,))])
    assert [one.ran for one in told] == [False, False]
    assert {one.why for one in told} == {"nothing starts such a test"}


def test_nodes_of_other_vendors_are_refused():
    design = SimpleNamespace(node=lambda _: SimpleNamespace(accelerator=SimpleNamespace(vendor="tenstorrent")))
    with pytest.raises(UsageError, match="tenstorrent"):
        collectors(design, ["n1"])
