from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.base.errors import ProblemsError
from rackwright.cli.accept import isolate_text
from rackwright.isolate import lines
from rackwright.isolate.conclude import conclude_isolation
from rackwright.isolate.play import random_faults
from rackwright.isolate.trial import Trial, TrialResult
from tests.examples import examples
from tests.unit.isolate import fleet
from tests.unit.isolate.fleet import KNOWN, named, played


@pytest.fixture(scope="module")
def built_value():
    return fleet.atoms(48, slots=4, per_leaf=16, spines=4)


def test_a_good_fleet_is_clean_after_the_screens(built_value):
    verdict, entry = played(built_value)
    assert verdict.clean
    assert verdict.rounds == len(entry.screens.rounds)
    assert len(verdict.cleared) == 48
    assert verdict.coverage.complete


@pytest.mark.parametrize("fault", ["node:n005", "nvlink:n006", "rail:n007/mlx5_2", "switch:leaf-2", "pair:n003+n004"])
@pytest.mark.parametrize("rails", [True, False], ids=["by rail", "as a whole"])
def test_each_kind_of_fault_is_told_from_the_others(built_value, fault, rails):
    verdict, _ = played(built_value, fault, rails=rails)
    result = verdict.faulty_parts
    assert len(result) == 1
    names = {f"{result[0].part.kind}:{name}" for name in result[0].part.names} | {
        f"{result[0].part.kind}:{n}" for n in result[0].part.names
    }
    inside = fault.startswith("nvlink") and not rails
    assert fault in names or (inside and "nvlink n006" in result[0].part.names), result
    assert verdict.complete
    assert verdict.untested == ()


@pytest.mark.parametrize(
    ("fault", "kind", "several"), [("cable:leaf-2:20", "cable", 16), ("switch:spine-3", "switch", 4)]
)
def test_what_adaptive_routing_spreads_over_is_named_as_one_of_several(built_value, fault, kind, several):
    verdict, _ = played(built_value, fault)
    assert [(faulty_part.part.kind, len(faulty_part.part.names)) for faulty_part in verdict.faulty_parts] == [
        (kind, several)
    ]
    assert fault.partition(":")[2] in verdict.faulty_parts[0].part.names
    assert verdict.faulty == ()
    assert len(verdict.cleared) == 48, "no node is blamed for what nodes share"


def test_a_cable_that_spoils_some_tests_of_good_nodes_blames_none_of_them():
    """It shows from rail to rail alone, so its tests of a node are bad and all others good: as if the node were faulty at times."""
    for seed in range(5):
        verdict, _ = played(
            fleet.atoms(4, slots=8, per_leaf=4, spines=4), "rail:n001/mlx5_4", "cable:leaf-1:8", seed=seed
        )
        assert verdict.faulty == ("n001",)
        assert verdict.cleared == ("n002", "n003", "n004")
        rail, cable = verdict.faulty_parts
        assert rail.part.names == ("n001/mlx5_4",)
        assert (cable.part.kind, "leaf-1:8" in cable.part.names) == ("cable", True)


def test_with_static_routes_a_single_cable_is_named():
    bare = fleet.wiring(16, slots=1, per_leaf=8, spines=2)
    cable = {tuple(ends): name for name, ends in zip(bare.cables, bare.ends.tolist(), strict=True)}
    routes = {"leaf-1": {"leaf-2": cable[0, 2]}, "leaf-2": {"leaf-1": cable[1, 3]}}
    routes |= {"spine-1": {"leaf-2": cable[1, 2]}, "spine-2": {"leaf-1": cable[0, 3]}}
    built = fleet.atoms(16, routes, slots=1, per_leaf=8, spines=2)
    verdict, _ = played(built, f"cable:{cable[0, 2]}")
    best = verdict.faulty_parts[0].part
    assert cable[0, 2] in " ".join(best.names)
    assert len(best.names) < 8, "only what the one route shares"


def test_several_kinds_at_once_are_all_named(built_value):
    faults = ["node:n001", "rail:n020/mlx5_1", "switch:leaf-12"]
    verdict, _ = played(built_value, *faults)
    assert named(verdict) == set(faults)
    assert verdict.faulty == ("n001", "n020")


def test_a_plane_of_a_domain_is_told_from_its_nodes():
    built = fleet.atoms(36, domain=18, per_leaf=18)
    verdict, _ = played(built, "nvlink:nvswitch-2b")
    assert [(faulty_part.part.kind, faulty_part.part.names) for faulty_part in verdict.faulty_parts] == [
        ("nvlink", ("nvswitch-2a", "nvswitch-2b"))
    ]
    assert len(verdict.cleared) == 36


def test_a_test_that_does_not_run_says_nothing_of_hardware(built_value):
    verdict, _ = played(built_value, "rail:n020/mlx5_1", silent=[0, 30])
    assert verdict.untested == ("n001", "n031")
    assert verdict.faulty == ("n020",)
    assert len(verdict.cleared) == 45
    assert verdict.not_run
    assert not verdict.clean


def test_a_launcher_that_runs_nothing_ends_soon_and_blames_nobody(built_value):
    verdict, entry = played(built_value, silent=range(48))
    assert len(verdict.untested) == 48
    assert verdict.faulty_parts == ()
    assert verdict.rounds <= len(entry.screens.rounds) + 3


def test_at_the_deadline_the_verdict_is_partial(built_value):
    verdict, _ = played(built_value, "node:n005", deadline=2 * KNOWN.group_minutes)
    assert verdict.rounds == 2
    assert not verdict.complete
    assert not verdict.clean
    assert "n005" in {node for node, _ in verdict.open} | set(verdict.faulty)
    everyone = [*verdict.faulty, *verdict.cleared, *verdict.untested, *(node for node, _ in verdict.open)]
    assert sorted(everyone) == sorted(built_value.wiring.nodes)


def test_before_any_test_everything_is_untested(built_value):
    verdict, _ = played(built_value, deadline=1.0)
    assert len(verdict.untested) == 48
    assert len(verdict.coverage.untested) > 48


def test_references_are_chosen_from_readings_and_never_by_number(built_value):
    entry = fleet.isolation(built_value)
    for round_ in entry.screens.rounds:
        entry.take([TrialResult(trial, 0.96 if 0 in trial.nodes else 1.0) for trial in round_])
    assert 0 not in entry.references()[:20]
    assert entry.partners()[0] != 0


def test_a_node_that_loses_less_than_a_fault_of_its_fleet_is_named_as_slow(built_value):
    """All nodes lose 2 %, so a fault loses 9 % or more; one node loses 7.5 %, and reads on both sides of the bound."""
    entry, turn = fleet.isolation(built_value), 0
    while entry.rounds < 30 and (trials := entry.next_round()):
        turn += 1
        slow = 0.98 * (1.0 - 0.075) + 0.015 * (-1) ** turn
        entry.take([TrialResult(trial, slow if 4 in trial.nodes else 0.98) for trial in trials])
    verdict = conclude_isolation(entry)
    assert verdict.faulty == ()
    assert [node for node, _ in verdict.slow] == ["n005"]
    assert verdict.as_dict()["slow"][0]["node"] == "n005"
    assert any(line.startswith("  slow      n005: ") for line in isolate_text.verdict(verdict))


def test_bad_readings_that_came_once_are_explained_as_disturbed(built_value):
    entry = fleet.isolation(built_value)
    rounds = 0
    while rounds < 20 and (trials := entry.next_round()):
        bad = trials[0] if rounds == 0 else None
        entry.take([TrialResult(trial, 0.7 if trial is bad else 1.0) for trial in trials])
        rounds += 1
    assert entry.standing().faulty == frozenset()
    assert entry.done


@examples(25)
@given(st.integers(0, 10_000), st.integers(0, 3))
def test_no_good_node_is_blamed_and_no_faulty_one_cleared(seed, count):
    built = fleet.atoms(40, slots=2, per_leaf=20)
    faults = random_faults(built, count, KNOWN.chance, seed)
    owners = {part.names[0].partition("/")[0] for part in faults}
    entry = fleet.isolation(built, seed)
    from rackwright.isolate.conclude import conclude_isolation
    from rackwright.isolate.conduct import conduct_isolation
    from rackwright.isolate.play import SimulatedTester

    conduct_isolation(entry, SimulatedTester(built, faults, KNOWN.search.noise, seed=seed))
    verdict = conclude_isolation(entry)
    assert set(verdict.faulty) <= owners
    losses = {part.names[0].partition("/")[0]: loss for part, loss in faults.items()}
    for cleared in verdict.clearances:
        for node in owners & set(cleared.nodes):
            assert losses[node] < cleared.reach.loss, f"{node} is cleared of what it loses"
    blamed = {faulty_part.node for faulty_part in verdict.faulty_parts if faulty_part.node}
    assert blamed <= owners


def test_tests_of_a_round_share_no_node(built_value):
    entry = fleet.isolation(built_value)
    from rackwright.isolate.play import SimulatedTester

    play = SimulatedTester(
        built_value,
        {built_value.find("switch:leaf-2"): 0.4, built_value.find("node:n040"): 0.2},
        KNOWN.search.noise,
        rails=False,
    )
    for _ in range(30):
        trials = entry.next_round()
        if not trials:
            break
        inside = [node for trial in trials for node in trial.nodes]
        assert len(inside) == len(set(inside))
        assert all(isinstance(trial, Trial) and len(trial.nodes) >= 2 for trial in trials)
        entry.take(play.run(trials))


def test_nodes_are_cleared_around_a_faulty_switch_and_a_faulty_pair(built_value):
    verdict, _ = played(built_value, "switch:leaf-2", "pair:n003+n004")
    assert named(verdict) == {"switch:leaf-2", "pair:n003+n004"}
    assert len(verdict.cleared) == 48
    assert verdict.open == ()


def test_a_rail_that_nothing_sends_to_leaves_a_fleet_that_is_not_clean():
    """Nothing was seen to be wrong with it, and nothing was seen of it."""
    bare = fleet.wiring(2, slots=1)
    wiring = replace(bare, leaf=np.array([[-1], [0]]), rails=((), bare.rails[1]))
    verdict, _ = played(fleet.PartIds(wiring, fleet.SwitchPaths(wiring, None)))
    assert [(entry.kind, entry.names) for entry in verdict.unproven] == [("rail", ("n002/mlx5_0",))]
    assert not verdict.clean


@pytest.mark.parametrize("share", ["NaN", "-5", "Infinity", "11"])
def test_a_share_of_a_rail_that_is_no_share_is_no_reading(share, built_value):
    row = f'{{"round": 1, "nodes": ["n001", "n002"], "share": 1, "rail_shares": {{"0": {share}}}}}'
    with pytest.raises(ProblemsError) as caught:
        lines.load_trials(row, "readings.jsonl", built_value.wiring)
    assert [(problem.place, problem.path) for problem in caught.value.problems] == [
        ("readings.jsonl:1", "rail_shares.0")
    ]
