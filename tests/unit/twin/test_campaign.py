from dataclasses import replace

import pytest

from rackwright import catalog
from rackwright.model.gate import Decision
from rackwright.model.verdict import Outcome
from rackwright.twin import campaign, faults
from rackwright.twin.campaign import FaultSheet, Scene, SiteGate, Stage, fault_sheet, matrix, play, scenes
from rackwright.twin.campaign.objects import named
from rackwright.twin.campaign.place import FEATURES
from rackwright.twin.faults import Fault, Injected
from tests import build
from tests.matrix.walk import sized_stage

NODES = [f"train-{number:03d}" for number in range(1, 9)]
FAULT = Fault("slow", "Slow", lambda state, _: state, frozenset({"gpu.count"}), names=frozenset({"GPU 3"}))


def red(check="gpu.count", target="train-001", says="train-001: GPU 3 lost", outcome=Outcome.FAIL):
    return build.verdict(check, target, outcome, says=says)


@pytest.fixture(scope="module")
def stage():
    return Stage(build.site_design(), tuple(NODES), build.TAKEN)


def hit(fault, nodes=("train-001",)):
    return Injected(fault, nodes, fault.names)


def scene(fault=FAULT, nodes=("train-001",)):
    return Scene(fault.name, (hit(fault, nodes),))


def refusal(node, *checks):
    return Decision(node=node, accepted=not checks, blocking=list(checks), reason="", waived=[], holds=[], untested=[])


def assess(scene, verdicts, decisions=None, deciding=None):
    """With a gate that refuses the nodes that were hit for everything red on them."""
    nodes = {node: None for injected in scene.injected for node in injected.nodes}
    by_gate = [refusal(node, *(verdict.check for verdict in verdicts if verdict.target == node)) for node in nodes]
    checks = {verdict.check for verdict in verdicts} if deciding is None else deciding
    return campaign.assess(scene, verdicts, by_gate if decisions is None else decisions, checks)


def played(stage, **options):
    return scenes(stage.healthy, NODES, stage.place.faults, **options)


def test_every_fault_of_the_acceptance_is_played_alone(stage):
    every = played(stage, combinations=0, seeds=3)
    assert [scene.seed for scene in every[:3]] == [0, 1, 2]
    assert [scene.name for scene in every[3:]] == list(stage.place.faults)


def test_what_cannot_show_on_a_site_is_left_out_with_a_reason(stage):
    assert set(stage.place.faults) | set(stage.place.absent) == set(
        faults.acceptance_faults(*FEATURES, *catalog.load().vendors)
    )
    assert stage.place.absent["leak"] == "the site has no liquid-cooled nodes"
    assert not [name for name, fault in stage.place.faults.items() if fault.needs == "kubernetes"]


@pytest.mark.parametrize(
    ("server", "fault", "why"),
    [
        ("l4-2u", "storage-cables-swapped", "the site has no InfiniBand storage fabric"),
        ("mccx-d800", "cable-on-wrong-leaf", "it changes nothing on such a site"),
    ],
)
def test_a_fault_that_changes_nothing_on_a_site_is_left_out(server, fault, why, tmp_path):
    _, sized = sized_stage(server, "slurm", tmp_path, "ndr-rail")
    assert sized.place.absent[fault] == why


def test_every_need_is_a_feature_that_can_be_looked_for():
    assert {word for fault in faults.load_faults().values() for word in fault.needs.split()} <= {
        *FEATURES,
        *catalog.load().vendors,
    }


def test_the_same_seed_plays_the_same_combinations(stage):
    assert played(stage, combinations=20, seeds=0, seed=7) == played(stage, combinations=20, seeds=0, seed=7)
    assert played(stage, combinations=20, seeds=0, seed=7) != played(stage, combinations=20, seeds=0, seed=8)


def test_combinations_take_known_nodes_and_hold_a_fault(stage):
    for result in played(stage, combinations=50, seeds=0)[-50:]:
        assert result.injected
        assert {node for injected in result.injected for node in injected.nodes} <= set(NODES)


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
    off = Fault("off", "Off", lambda state, _: state, frozenset({"bmc.power"}), masks=frozenset({"gpu.*"}))
    both = Scene("both", (hit(off), hit(FAULT, ("train-001", "train-002"))))
    [sentence] = assess(both, [red("bmc.power")]).wrong
    assert "slow on train-002 was not found" in sentence


def test_what_is_masked_in_part_is_found_by_the_rest():
    half = replace(FAULT, checks=frozenset({"gpu.count", "bmc.gpus"}))
    off = Fault("off", "Off", lambda state, _: state, frozenset({"bmc.power"}), masks=frozenset({"gpu.*"}))
    both = Scene("both", (hit(off), hit(half)))
    [sentence] = assess(both, [red("bmc.power")]).wrong
    assert "slow on train-001 was not found" in sentence


def test_a_node_with_two_faults_must_name_both():
    rival = replace(FAULT, name="other", names=frozenset({"GPU 5"}))
    [sentence] = assess(Scene("both", (hit(rival), hit(FAULT))), [red()]).wrong
    assert "other on train-001 was found, and no sentence names GPU 5" in sentence


def test_one_object_is_broken_once(stage):
    for result in played(stage, combinations=200, seeds=0):
        on: dict[str, list[str]] = {}
        for injected in result.injected:
            for node in injected.nodes:
                assert not set(on.get(node, [])) & injected.names
                on.setdefault(node, []).extend(injected.names)


def test_faults_that_undo_each_other_are_not_combined(stage):
    pair = {name: faults.load_faults()[name] for name in ("xid-46-gpu-timeout", "xid-109-context-switch")}
    alone = scenes(stage.healthy, NODES[:1], pair, combinations=20, seeds=0)[2:]
    assert {len(scene.injected) for scene in alone} == {1}


def test_parts_are_counted_on_from_the_first(stage):
    machine = stage.healthy.machines["train-001"]
    assert named({"GPU {gpu[9]}", "{compute[3]}", "7 of {left[1]}"}, machine) == {"GPU 1", "mlx5_5", "7 of 7"}
    with pytest.raises(LookupError, match="the nodes have no data drive"):
        named({"{drive[0]}"}, replace(machine, system=replace(machine.system, drives=())))


def test_no_fault_is_named_by_a_number_that_any_sentence_holds(stage):
    for fault in stage.place.faults.values():
        for word in named(fault.names, stage.healthy.machines["train-001"]):
            assert not word.isdecimal() or len(word) > 3, f"{fault.name}: {word}"


def test_a_healthy_site_must_be_green():
    [sentence] = assess(Scene("healthy 0", ()), [red()]).wrong
    assert "healthy 0: train-001, which no fault hit" in sentence


def test_the_gate_must_refuse_the_node_that_a_fault_hit():
    [sentence] = assess(scene(), [red()], [refusal("train-001")]).wrong
    assert "slow on train-001 was found by gpu.count, and the gate accepts the node" in sentence
    [sentence] = assess(scene(), [red()], [refusal("train-001", "bmc.health")]).wrong
    assert "accepts the node" in sentence


def test_the_gate_must_refuse_no_other_node():
    decisions = [refusal("train-001", "gpu.count"), refusal("train-002", "nic.firmware")]
    [sentence] = assess(scene(), [red()], decisions).wrong
    assert "the gate refuses train-002, which no fault hit, for nic.firmware" in sentence
    far = replace(FAULT, elsewhere=frozenset({"nic.*"}))
    assert assess(scene(far), [red()], decisions).wrong == ()
    [sentence] = assess(Scene("healthy 0", ()), [], [refusal("train-001", "gpu.*")]).wrong
    assert "the gate refuses train-001" in sentence


def test_what_advisory_checks_find_is_reported_and_refuses_nobody():
    result = assess(scene(), [red()], [refusal("train-001")], deciding={"bmc.health"})
    assert (result.wrong, result.advisory) == ((), {"slow"})
    assert "| `slow` | Slow | **gpu.count** (reported) | - | pod |" in row_of(result, [])


def test_the_gate_of_a_site_accepts_healthy_nodes_and_refuses_the_one_that_was_hit(stage):
    site_gate = SiteGate(stage)
    assert all(decision.accepted for decision in site_gate.decisions(play(stage, Scene("healthy", ()))))
    [alone] = scenes(stage.healthy, NODES, {"gpu-missing": stage.place.faults["gpu-missing"]}, combinations=0, seeds=0)
    decisions = site_gate.decisions(play(stage, alone))
    assert [decision.node for decision in decisions if not decision.accepted] == ["train-001"]
    assert "gpu.count" in decisions[0].blocking
    assert "gpu.count" in site_gate.deciding
    assert "host.sysctl" not in site_gate.deciding


def row_of(result, checks, site="pod"):
    return matrix([fault_sheet(site, "a site", [result], {"leak": "the site has no liquid-cooled nodes"})], checks)


def test_the_matrix_tells_finders_from_witnesses_and_names_quiet_checks():
    result = assess(
        scene(), [red(), red("gpu.memory", outcome=Outcome.DEGRADED), red("host.a", outcome=Outcome.INCONCLUSIVE)]
    )
    text = row_of(result, ["gpu.count", "gpu.memory", "host.a"])
    assert "| `slow` | Slow | **gpu.count** | *gpu.memory*, host.a (unread) | pod |" in text
    assert "no fault turns them to fail or degraded: `host.a`." in text
    assert "On pod:\n\n- the site has no liquid-cooled nodes: `leak`" in text


def test_a_domain_that_cannot_be_read_is_one_word():
    lost = replace(FAULT, checks=frozenset({"gpu.*"}), names=frozenset())
    result = assess(scene(lost), [red(f"gpu.{name}", outcome=Outcome.INCONCLUSIVE) for name in "abc"])
    assert "| `slow` | Slow | gpu.* (unread) | - |" in row_of(result, [])


def test_sites_share_a_row_where_a_fault_shows_alike():
    first = assess(scene(), [red()])
    second = assess(scene(), [red(), red("gpu.memory")])
    sheets = [fault_sheet(name, "a site", [result], {}) for name, result in (("a", first), ("b", second), ("c", first))]
    text = matrix([FaultSheet.model_validate_json(sheet.model_dump_json()) for sheet in sheets], ["gpu.count"])
    assert "| `slow` | Slow | **gpu.count** | - | a, c |" in text
    assert "| `slow` | Slow | **gpu.count** | **gpu.memory** | b |" in text
