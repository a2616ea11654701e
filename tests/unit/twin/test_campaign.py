from dataclasses import replace

import pytest

from rackwright.model.verdict import Outcome
from rackwright.twin import faults
from rackwright.twin.campaign import Scene, assess, matrix, scenes
from rackwright.twin.faults import Fault, Injected
from tests import build

NODES = [f"train-{number:03d}" for number in range(1, 9)]
FAULT = Fault("slow", "Slow", lambda state, _: state, frozenset({"gpu.count"}), names=frozenset({"GPU 3"}))


def red(check="gpu.count", target="train-001", says="train-001: GPU 3 lost", outcome=Outcome.FAIL):
    return build.verdict(check, target, outcome, says=says)


def scene(fault=FAULT, nodes=("train-001",)):
    return Scene(fault.name, (Injected(fault, nodes),))


def test_every_fault_of_the_acceptance_is_played_alone():
    played = scenes(NODES, combinations=0, seeds=3)
    assert [one.seed for one in played[:3]] == [0, 1, 2]
    assert [one.name for one in played[3:]] == list(faults.of_acceptance())


def test_the_same_seed_plays_the_same_combinations():
    assert scenes(NODES, combinations=20, seeds=0, seed=7) == scenes(NODES, combinations=20, seeds=0, seed=7)
    assert scenes(NODES, combinations=20, seeds=0, seed=7) != scenes(NODES, combinations=20, seeds=0, seed=8)


def test_combinations_take_known_nodes_and_hold_a_fault():
    for one in scenes(NODES, combinations=50, seeds=0)[-50:]:
        assert one.injected
        assert {node for injected in one.injected for node in injected.nodes} <= set(NODES)


def test_a_fault_that_its_check_names_is_found():
    assert assess(scene(), [red()]).wrong == ()


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ([], "slow on train-001 was not found by gpu.count"),
        ([red("gpu.memory")], "was not found"),
        ([red(outcome=Outcome.INCONCLUSIVE)], "was not found"),
        ([red(says="train-001: 7 of 8")], "no sentence names GPU 3"),
        ([red(), red(target="train-002")], "train-002, which no fault hit: gpu.count fail"),
    ],
)
def test_what_is_wrong_is_said(verdicts, words):
    [sentence] = assess(scene(), verdicts).wrong
    assert words in sentence


def test_a_fault_of_two_nodes_must_be_found_on_both():
    [sentence] = assess(scene(nodes=("train-001", "train-002")), [red()]).wrong
    assert "slow on train-002 was not found" in sentence


def test_a_fault_may_show_on_another_machine_where_it_says_so():
    far = replace(FAULT, elsewhere=frozenset({"gpu.*"}))
    assert assess(scene(far), [red(target="ufm-01")]).wrong == ()


def test_a_host_that_cannot_be_read_is_found_by_that():
    assert assess(scene(replace(FAULT, unread=True)), [red(outcome=Outcome.INCONCLUSIVE)]).wrong == ()


def test_what_cannot_be_read_hides_the_rest():
    off = Fault("off", "Off", lambda state, _: state, frozenset({"bmc.power"}), unread=True)
    both = Scene("both", (Injected(off, ("train-001",)), Injected(FAULT, ("train-001", "train-002"))))
    [sentence] = assess(both, [red("bmc.power")]).wrong
    assert "slow on train-002 was not found" in sentence


def test_a_node_with_two_faults_need_not_name_both():
    other = replace(FAULT, name="other", names=frozenset({"GPU 5"}))
    both = Scene("both", (Injected(other, ("train-001",)), Injected(FAULT, ("train-001",))))
    assert assess(both, [red()]).wrong == ()


def test_one_object_is_broken_once():
    for one in scenes(NODES, combinations=200, seeds=0):
        on: dict[str, list[str]] = {}
        for injected in one.injected:
            for node in injected.nodes:
                assert not set(on.get(node, [])) & injected.fault.names
                on.setdefault(node, []).extend(injected.fault.names)


def test_a_healthy_site_must_be_green():
    [sentence] = assess(Scene("healthy 0", ()), [red()]).wrong
    assert "healthy 0: train-001, which no fault hit" in sentence


def test_the_matrix_tells_finders_from_witnesses_and_names_quiet_checks():
    shown = assess(
        scene(), [red(), red("gpu.memory", outcome=Outcome.DEGRADED), red("host.a", outcome=Outcome.INCONCLUSIVE)]
    )
    text = matrix([shown], ["gpu.count", "gpu.memory", "host.a"])
    assert "| `slow` | Slow | **gpu.count** | *gpu.memory*, host.a (unread) |" in text
    assert "no fault of it turns them to fail or degraded: `host.a`." in text


def test_a_domain_that_cannot_be_read_is_one_word():
    lost = replace(FAULT, checks=frozenset({"gpu.*"}), names=frozenset())
    shown = assess(scene(lost), [red(f"gpu.{name}", outcome=Outcome.INCONCLUSIVE) for name in "abc"])
    assert "| `slow` | Slow | gpu.* (unread) | - |" in matrix([shown], [])
