"""What a campaign remembers is what it would find again: with a memory and without, scenes show the same."""

from dataclasses import replace

import pytest

from rackwright.twin import tools
from rackwright.twin.campaign import Scene, Stage, play, scenes
from rackwright.twin.campaign.memory import Memory
from rackwright.twin.campaign.watched import watched
from rackwright.twin.hardware.state import build
from tests import build as records

NODES = tuple(f"train-{number:03d}" for number in range(1, 6))
NAMES = ("rail-slow", "link-down", "leaf-cable-slow", "machine-off", "serial-twice")


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(records.site_design(), NODES, records.TAKEN)


def told(stage: Stage, played: list[Scene]) -> list[list[str]]:
    return [[one.model_dump_json() for one in play(stage, scene)] for scene in played]


def test_with_and_without_a_memory_scenes_show_the_same(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    every = scenes(stage.healthy, NODES, stage.place.faults, combinations=2, seeds=2)
    played = [every[0], *(one for one in every if one.name in NAMES), *every[1:2], *every[-2:]]
    remembered = told(stage, played)
    assert len(stage.memory.answers) > len(NODES)
    monkeypatch.setattr(Memory, "answer", lambda _, made, *asked: made(*asked))
    monkeypatch.setattr(Memory, "verdicts", lambda _, seen, judge: judge(seen))
    assert told(stage, played) == remembered


def test_an_answer_is_made_anew_when_what_it_follows_from_has_changed(stage: Stage) -> None:
    made = []

    def answer(design, state, machine, ask):
        made.append(machine)
        return tools.asked(design, state, machine, ask)

    memory, ask = Memory(), next(one for one in stage.plans[False].asks[NODES[0]] if one.collector == "nvml")
    state = stage.healthy
    broken = state.with_machine(NODES[0], lambda machine: replace(machine, nouveau=True))
    elsewhere = state.with_machine(NODES[1], lambda machine: replace(machine, nouveau=True))
    for one in (state, state, elsewhere, broken, state):
        memory.answer(answer, stage.design, one, NODES[0], ask)
    assert made == [NODES[0]] * 2


def test_what_is_read_is_noted() -> None:
    state = build(records.site_design(), NODES)
    seen = watched(state)
    assert seen.machines["train-002"].node == "train-002"
    assert (set(seen.read.machines), set(seen.read.whole)) == ({"train-002"}, set())
    assert seen.seed == 0
    assert seen.plugged is state.plugged
    assert set(seen.read.whole) == {"cables", "seed"}
    assert "absent" not in seen.machines
    assert seen.machines.get("absent") is None
    assert set(seen.read.machines) == {"train-002", "absent"}
    assert len(list(seen.machines.items())) == len(NODES)
    assert set(seen.read.machines) == {*NODES, "absent"}
