"""What a campaign remembers is what it would find again: with a memory and without, scenes show the same."""

from dataclasses import replace

import pytest

from rackwright.twin import tools
from rackwright.twin.campaign import Scene, Stage, play, scenes
from rackwright.twin.campaign.memory import SceneMemory
from rackwright.twin.campaign.recorded_state import record_reads
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
    monkeypatch.setattr(SceneMemory, "verdicts", lambda _, evidence, judge: judge(evidence))
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
    broken = state.with_machine(NODES[0], lambda machine: replace(machine, nouveau=True))
    elsewhere = state.with_machine(NODES[1], lambda machine: replace(machine, nouveau=True))
    for current in (state, state, elsewhere, broken, state):
        memory.answer(answer, stage.design, current, NODES[0], ask)
    assert computed == [NODES[0]] * 2


def test_what_is_read_is_noted() -> None:
    state = build(records.site_design(), NODES)
    recorded = record_reads(state)
    assert recorded.machines["train-002"].node == "train-002"
    assert (set(recorded.read.machines), set(recorded.read.fields)) == ({"train-002"}, set())
    assert recorded.seed == 0
    assert recorded.plugged is state.plugged
    assert set(recorded.read.fields) == {"cables", "seed"}
    assert "absent" not in recorded.machines
    assert recorded.machines.get("absent") is None
    assert set(recorded.read.machines) == {"train-002", "absent"}
    assert len(list(recorded.machines.items())) == len(NODES)
    assert set(recorded.read.machines) == {*NODES, "absent"}
