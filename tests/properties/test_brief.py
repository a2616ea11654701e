"""A check that is asked by somebody who reads no pass says the same of everything else, and passes the same nodes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rackwright import collect, compare, judge
from rackwright.flow import stored_evidence
from rackwright.model.check import Check, Expectation, FleetCheck, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome
from rackwright.twin import faults, tools
from rackwright.twin.hardware import state
from tests import build
from tests.layout.test_checks import CASES, CHECKS, judged, load

CHANGES = 40
"""Records made of a healthy one, per check."""
NODES = 12
OF_NODES = {name: one for name, one in CHECKS.items() if isinstance(one, Check | FleetCheck)}
OF_A_NODE = {name: one for name, one in OF_NODES.items() if isinstance(one, Check)}


def same(found: Mapping[str, Finding], brief: Mapping[str, Finding]) -> None:
    """A pass is a pass, everything else is equal to the last word."""
    assert list(found) == list(brief)
    for name, one in found.items():
        assert brief[name] == one or one.outcome == brief[name].outcome == Outcome.PASS


def both(judge_it: Callable[[Expectation], Finding], one: Expectation) -> tuple[Finding | str, Finding | str]:
    """What a check says, or how it crashes: in full, in brief."""
    found: list[Finding | str] = []
    for asked in (one, replace(one, brief=True)):
        try:
            found.append(judge_it(asked))
        except Exception as error:  # a crash is a verdict, and must be the same one
            found.append(f"{type(error).__name__}: {error}")
    return found[0], found[1]


def equal(full: Finding | str, brief: Finding | str) -> bool:
    if isinstance(full, Finding) and isinstance(brief, Finding) and full.outcome == Outcome.PASS:
        return brief.outcome == Outcome.PASS
    return full == brief


@pytest.mark.parametrize(
    "case", [case for name in OF_NODES for case in sorted((CASES / name).glob("*.yaml"))], ids=lambda path: path.stem
)
def test_recorded_cases(case) -> None:
    said = load(case)
    same(judged(case.parent.name, said), judged(case.parent.name, said, brief=True))


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with a key or index of it."""
    if isinstance(value, dict | list):
        for key, one in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from leaves(one)


def changed(value: Any, chance: random.Random) -> Any:
    """Another value, more often than not of the same type."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return chance.choice([0, value - 1, value + 1, 2 * value + 3, value // 2, None])
    if isinstance(value, float):
        return chance.choice([0.0, value * 0.97, value * 0.9, value * 1.1, value * 2, -value, None])
    if isinstance(value, str):
        return chance.choice(["", value + "x", "other", value[:-1], None])
    return chance.choice([[], {}, None]) if chance.random() < 0.5 else type(value)(value)


@pytest.mark.parametrize("name", OF_A_NODE)
def test_changed_records(name) -> None:
    check, chance, outcomes = OF_A_NODE[name], random.Random(name), []
    expectation = build.expectation()
    for number in range(CHANGES):
        document = build.seen(check.reads).model_dump()
        places = list(leaves(document))
        for where, key in chance.sample(places, min(number % 4, len(places))):
            where[key] = changed(where[key], chance)
        try:
            record = check.reads.model_validate(document)
        except ValidationError:
            continue
        full, brief = both(lambda one, record=record: check.judge(one, record), expectation)
        assert equal(full, brief), (full, brief)
        outcomes.append(full)
    assert len(outcomes) >= CHANGES // 4


def recorded(
    folder: Path, design: Design, hardware: state.State, names: Sequence[str], *, load: bool
) -> Mapping[str, NodeEvidence]:
    """What the collectors read of `hardware`, or its load tests."""
    asked, outputs = tools.outputs(design, hardware, names, load=load)
    header = {"site": asked.site, "owed": {n: list(o) for n, o in asked.owed.items()}, "adapters": asked.adapters}
    with collect.Store(folder).begin(header, datetime(2026, 11, 21, 9, tzinfo=UTC)) as run:
        run.add_all(outputs)
    return stored_evidence.recall(folder, design, build.limit_table()).nodes


@pytest.mark.parametrize("seed", [1, 2])
def test_records_of_a_site_with_faults(seed, tmp_path) -> None:
    design, limits = build.site_design(), build.limit_table()
    names = [node.name for node in design.nodes("accelerator")][:NODES]
    drawn = [name for name, one in faults.acceptance_faults("slurm").items() if one.nodes == 1]
    random.Random(seed).shuffle(drawn)
    hardware = state.build(design, names)
    for node, name in zip(names[: NODES // 2], drawn, strict=False):
        hardware = faults.load_faults()[name].apply(hardware, [node])
    counts = dict.fromkeys((True, False), 0)
    for loaded in (False, True):
        evidence = recorded(tmp_path / str(loaded), design, hardware, names, load=loaded)
        for one, (name, check) in product(judge.expect(design, {}, limits, names), OF_A_NODE.items()):
            record = evidence[one.node.name].get(check.reads)
            if record is not None and check.applies(one):
                full, brief = both(lambda asked, check=check, record=record: check.judge(asked, record), one)
                assert equal(full, brief), (name, full, brief)
                counts[isinstance(full, Finding) and full.outcome == Outcome.PASS] += 1
    assert counts[True] > NODES * 100
    assert counts[False] > NODES // 2


def test_a_brief_pass_has_no_words() -> None:
    one, readings = build.expectation(brief=True), {"GPU 0": 5, "GPU 1": 5}
    found = compare.every(one, readings, lambda value: value == 5, what="it", expected="5", source="here")
    assert found.outcome == Outcome.PASS
    assert found.says == ""


@pytest.mark.parametrize("readings", [{}, {"GPU 0": 5, "GPU 1": None}, {"GPU 0": 5, "GPU 1": 6}])
def test_what_is_no_pass_is_never_brief(readings) -> None:
    said = [
        compare.every(one, readings, lambda value: value == 5, what="it", expected="5", source="here")
        for one in (build.expectation(), build.expectation(brief=True))
    ]
    assert said[0] == said[1]
    assert said[0].says.startswith("train-001: it ")


def test_names_of_readings_are_made_when_asked_for() -> None:
    made: list[str] = []

    def names() -> list[str]:
        made.append("asked")
        return ["a", "b"]

    readings = compare.Named([1, 2], names)
    assert compare.every(
        build.expectation(brief=True), readings, lambda _: True, what="it", expected="it", source="here"
    )
    assert not made
    assert dict(readings) == {"a": 1, "b": 2}
    assert len(readings) == 2
    assert made == ["asked"]
