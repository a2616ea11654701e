"""What a campaign remembers is what it would find again: with a memory and without, scenes show the same."""

from dataclasses import replace

import pytest

from rackwright.twin import tools
from rackwright.twin.campaign import Scene, Stage, play, scenes
from rackwright.twin.campaign.memory import SceneMemory
from rackwright.twin.campaign.recorded_state import RecordedState
from rackwright.twin.hardware.state import build
from tests import build as records

NODES = tuple(f"train-{number:03d}" for number in range(1, 6))
NAMES = ("rail-slow", "link-down", "leaf-cable-slow", "machine-off", "serial-twice")


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(records.site_design(), NODES, records.TAKEN)


def verdict_texts(stage: Stage, played: list[Scene]) -> list[list[str]]:
    return [[verdict.model_dump_json() for verdict in play(stage, scene)] for scene in played]


def test_with_and_without_a_memory_scenes_show_the_same(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    every = scenes(stage.healthy, NODES, stage.place.faults, combinations=2, seeds=2)
    played = [every[0], *(scene for scene in every if scene.name in NAMES), *every[1:2], *every[-2:]]
    remembered = verdict_texts(stage, played)
    assert len(stage.memory.answers) > len(NODES)
    monkeypatch.setattr(SceneMemory, "answer", lambda _, answer, *request: answer(*request))
    monkeypatch.setattr(SceneMemory, "verdicts", lambda _, key, judge: judge())
    monkeypatch.setattr(SceneMemory, "shared", lambda _, readings, lay_out: lay_out(readings))
    assert verdict_texts(stage, played) == remembered


def test_an_answer_is_made_anew_when_what_it_follows_from_has_changed(stage: Stage) -> None:
    computed = []

    def answer(design, state, machine, ask):
        computed.append(machine)
        return tools.answer_request(design, state, machine, ask)

    memory, ask = (
        SceneMemory(),
        next(request for request in stage.plans[False].asks[NODES[0]] if request.collector == "nvml"),
    )
    state = stage.healthy
    broken = state.with_machine(NODES[0], lambda machine: replace(machine, gpus=machine.gpus[1:]))
    elsewhere = state.with_machine(NODES[1], lambda machine: replace(machine, gpus=machine.gpus[1:]))
    unread = state.with_machine(NODES[0], lambda machine: replace(machine, nouveau=True))
    for current in (state, state, elsewhere, unread, broken, state):
        memory.answer(answer, stage.design, current, NODES[0], ask)
    assert computed == [NODES[0]] * 2


def test_what_is_read_is_noted() -> None:
    state = build(records.site_design(), NODES)
    recorded = RecordedState(state)
    assert recorded.machines["train-002"].node == "train-002"
    assert (set(recorded.read.machines), set(recorded.read.fields.fields)) == ({"train-002"}, set())
    assert set(recorded.read.machines["train-002"].fields) == {"node"}
    assert recorded.seed == 0
    assert recorded.plugged is state.plugged
    assert set(recorded.read.fields.fields) == {"cables", "seed"}
    assert "absent" not in recorded.machines
    assert recorded.machines.get("absent") is None
    assert [machine.kind for machine in recorded.machines.values()] == [("hopper", 8)] * len(NODES)
    assert set(recorded.read.machines) == set(NODES)
    assert recorded.machines["train-001"].performance.rail("mlx5_0").bandwidth == 1
    assert set(recorded.read.machines["train-001"].fields["performance"].fields) == {"rails"}


def test_what_was_read_holds_until_it_changes() -> None:
    state = build(records.site_design(), NODES)
    recorded = RecordedState(state)
    assert recorded.machines["train-001"].system.open_files
    assert recorded.lossy == ()
    read = recorded.read
    slow = replace(state.cables[0], delivered_share=0.5)
    deeper = {"open_files": 1}, {"stack_kib": 1}
    changed, unread = (
        state.with_machine("train-001", lambda machine, to=to: replace(machine, system=replace(machine.system, **to)))
        for to in deeper
    )
    assert (read.still(state), read.still(unread), read.still(replace(state, seed=1))) == (True, True, True)
    assert not read.still(changed)
    assert not read.still(replace(state, cables=(slow, *state.cables[1:])))
    assert read.still(replace(state, cables=state.cables[1:]))
