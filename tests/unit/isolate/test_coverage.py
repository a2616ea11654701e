"""A proof of coverage, counted again from groups and design tables with nothing of the code that made it."""

from collections import defaultdict

import polars as pl
import pytest
from hypothesis import given
from hypothesis import settings as options
from hypothesis import strategies as st

from rackwright import catalog, design, spec
from rackwright.design import sizing
from rackwright.isolate import coverage, proof
from rackwright.isolate.setup import set_up
from rackwright.isolate.survivors import ExerciseCounts
from rackwright.isolate.trial import Trial
from rackwright.judge.limits import load
from tests import build
from tests.unit.isolate import fleet


def plan(built, groups, rounds=6):
    return coverage.screening_rounds(built, groups, least_load=0.5, most_rounds=rounds)


@pytest.fixture(scope="module")
def example():
    return set_up(build.site_design(), load())


def test_the_example_site_is_covered(example):
    assert example.screens.proof.complete
    kinds = {kind.kind: (kind.covered, kind.parts) for kind in example.screens.proof.kinds}
    assert kinds == {"node": (31, 31), "rail": (248, 248), "cable": (256, 256), "switch": (12, 12), "nvlink": (31, 31)}


def test_a_site_with_cores_and_nvlink_domains_is_covered():
    loaded = spec.load(build.EXAMPLE.parents[1] / "gb200-pod" / "site.yaml")
    result = set_up(design.expand(loaded.site, loaded.catalog), load())
    assert result.screens.proof.complete
    kinds = {kind.kind: kind.parts for kind in result.screens.proof.kinds}
    assert kinds == {"node": 288, "rail": 1152, "cable": 2304, "switch": 130, "nvlink": 144}


def test_every_rail_of_the_example_meets_two_partners_or_more(example):
    """From ring order and port tables alone."""
    wiring = example.atoms.wiring
    partners = defaultdict(set)
    for trial in (trial for round_ in example.screens.rounds for trial in round_):
        for a, b in zip(trial.nodes, trial.nodes[1:] + trial.nodes[:1], strict=True):
            for slot in range(8):
                far = (slot + trial.shift) % 8
                partners[wiring.nodes[a], wiring.rails[a][slot]].add((wiring.nodes[b], wiring.rails[b][far]))
                partners[wiring.nodes[b], wiring.rails[b][far]].add((wiring.nodes[a], wiring.rails[a][slot]))
    assert len(partners) == 248
    assert min(len(partner) for partner in partners.values()) >= 2


def test_every_uplink_of_the_example_is_loaded_by_half_in_two_rounds(example):
    """Flows that leave a leaf, over its uplinks, from the cable table alone."""
    cables = build.site_design().cables.filter(pl.col("fabric") == "compute")
    leaf = {
        (a, port): b
        for a, port, b in cables.filter(pl.col("kind") == "node_leaf")
        .select("a_device", "a_port", "b_device")
        .iter_rows()
    }
    uplinks = dict(cables.filter(pl.col("kind") == "leaf_spine")["a_device"].value_counts().iter_rows())
    wiring = example.atoms.wiring
    enough = defaultdict(int)
    for round_ in example.screens.rounds:
        out = defaultdict(int)
        for trial in round_:
            for a, b in zip(trial.nodes, trial.nodes[1:] + trial.nodes[:1], strict=True):
                for slot in range(8):
                    near = leaf[wiring.nodes[a], wiring.rails[a][slot]]
                    far = leaf[wiring.nodes[b], wiring.rails[b][(slot + trial.shift) % 8]]
                    out[near] += near != far
        for name, count in out.items():
            enough[name] += count / uplinks[name] >= 0.5
    assert {name: enough[name] >= 2 for name in uplinks} == dict.fromkeys(uplinks, True)


@options(max_examples=30, deadline=None)
@given(st.integers(4, 60), st.integers(1, 4), st.integers(2, 9), st.integers(1, 8))
def test_tests_and_partners_are_those_of_a_plain_count(nodes, slots, per_leaf, groups):
    built = fleet.atoms(nodes, slots=slots, per_leaf=per_leaf)
    result = plan(built, groups)
    tests, partners = defaultdict(set), defaultdict(set)
    for at, trial in enumerate(trial for round_ in result.rounds for trial in round_):
        for a, b in trial.hops:
            for entry, second in ((a, b), (b, a)):
                tests[entry].add(at)
                partners[entry].add(second)
    node = next(kind for kind in result.proof.kinds if kind.kind == "node")
    assert node.least_tests == min(len(tests[number]) for number in range(nodes))
    assert node.least_partners == min(len(partners[number]) for number in range(nodes))
    assert result.proof.pairs_met == sum(len(partner) for partner in partners.values()) // 2


@options(max_examples=30, deadline=None)
@given(st.integers(4, 60), st.integers(1, 4), st.integers(1, 8), st.integers(0, 18))
def test_rounds_test_no_node_twice_and_none_alone(nodes, slots, groups, domain):
    for round_ in plan(fleet.atoms(nodes, slots=slots, domain=domain), groups).rounds:
        inside = [node for trial in round_ for node in trial.nodes]
        assert len(inside) == len(set(inside))
        assert min(len(trial.nodes) for trial in round_) >= 2


def test_the_uplinks_of_one_group_of_nodes_need_a_shift_between_rails():
    result = plan(fleet.atoms(8, per_leaf=8, slots=4), 2)
    assert result.proof.complete
    assert {trial.shift for round_ in result.rounds for trial in round_} > {0}


def test_what_is_not_covered_is_named_with_its_reason():
    result = plan(fleet.atoms(8, per_leaf=8, slots=1), 2)
    assert not result.proof.complete
    assert {entry.part.kind for entry in result.proof.untested} == {"cable", "switch"}
    assert "no flow between the nodes crosses it" in {entry.why for entry in result.proof.untested}


def test_a_cable_that_carries_little_is_not_covered():
    built = fleet.atoms(16, per_leaf=8, slots=1)
    tally = ExerciseCounts(built.wiring, built.paths)
    for pair in ((0, 8), (1, 9)):
        tally.add([Trial(pair)])
    result = proof.prove_coverage(tally, built, 0.5)
    remaining = [entry for entry in result.untested if entry.part.kind == "cable"]
    assert len(remaining) == 16
    assert all("less than 50%" in entry.why for entry in remaining)


def test_two_tests_with_the_same_partners_are_one():
    built = fleet.atoms(4, per_leaf=4, slots=1)
    tally = ExerciseCounts(built.wiring, built.paths)
    for _ in range(2):
        tally.add([Trial((0, 1)), Trial((2, 3))])
    result = proof.prove_coverage(tally, built, 0.5)
    assert {entry.why for entry in result.untested if entry.part.kind == "rail"} == {
        "2 tests, always with the same partners"
    }


def test_planes_of_a_domain_are_tested_over_nvlink_twice():
    result = plan(fleet.atoms(36, domain=18), 2)
    planes = next(kind for kind in result.proof.kinds if kind.kind == "nvlink")
    assert (planes.covered, planes.parts) == (4, 4)
    assert sum(round_[0].over == "nvlink" for round_ in result.rounds) == 2


def leaf_uplinks(built, node):
    """Cables above the first leaf of a node."""
    return {built.wiring.cables[at] for at, ends in enumerate(built.wiring.ends) if built.wiring.leaf[node, 0] in ends}


@pytest.mark.parametrize("nodes", [9, 10, 12, 15, 17, 25, 41])
def test_a_half_empty_last_unit_is_covered_and_what_it_cannot_fill_is_advice(nodes):
    built = fleet.atoms(nodes)
    result = plan(built, 4).proof
    assert result.complete, result.untested[:3]
    thin = {name for entry in result.advice if entry.kind == "cable" for name in entry.names}
    last = (nodes - 1) % 8 + 1
    assert leaf_uplinks(built, nodes - 1).issubset(thin) == (last / 8 < 0.5)
    assert not leaf_uplinks(built, 0) & thin


def test_the_advice_says_how_much_can_be_put_over_a_cable():
    """One node of eight: an eighth of what eight uplinks carry."""
    advice = [entry.why for entry in plan(fleet.atoms(9), 3).proof.advice if entry.kind == "cable"]
    assert advice == ["the nodes there put at most 12% over each, 50% are asked for"]


def test_what_the_nodes_could_fill_and_the_tests_did_not_is_no_advice():
    built = fleet.atoms(16)
    tally = ExerciseCounts(built.wiring, built.paths)
    for _ in range(2):
        tally.add([Trial((0, 8))])
    result = proof.prove_coverage(tally, built, 0.5)
    assert not result.advice
    assert {entry.part.kind for entry in result.untested} >= {"cable", "node"}


@pytest.mark.parametrize(("nodes", "advice"), [(2, ["node"]), (3, [])])
def test_the_smallest_fleets_are_covered_as_well_as_they_can(nodes, advice):
    result = plan(fleet.atoms(nodes, per_leaf=nodes), 3).proof
    assert [entry.part.kind for entry in result.untested if entry.part.kind in ("node", "rail", "nvlink")] == []
    assert [entry.kind for entry in result.advice if entry.kind == "node"] == advice


def test_no_screen_sends_from_a_plane_of_the_fabric_to_another():
    """No switch joins them, so that such a flow would fail on healthy parts."""
    split = sizing.size_site(sizing.SizeRequest(512, "dgx-b300", "roce-dual-plane"), catalog.load()).design
    result = set_up(split, load())
    assert result.screens.proof.complete
    assert {trial.shift % 2 for round_ in result.screens.rounds for trial in round_} == {0}
    assert {kind.kind: kind.parts for kind in result.screens.proof.kinds}["rail"] == 64 * 16
