"""The cases of checks (`tests/cases/checks`), and what a check finds in one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from rackwright import judge
from rackwright.model.base import Record
from rackwright.model.check import FleetCheck, PlantCheck
from rackwright.model.verdict import Finding
from tests import build

CASES = Path(__file__).resolve().parent / "cases" / "checks"
CHECKS = judge.load_checks()
YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def cases(check: str) -> list[Path]:
    return sorted((CASES / check).glob("*.yaml"))


def load(case: Path) -> dict[str, Any]:
    return dict(yaml.load(case.read_text(), Loader=YAML))


def evidence(check: str, case: dict[str, Any]) -> dict[str, Record]:
    """The record of each node or unit of a case; a fleet check has one for every node of `fleet`.

    ``fleet: {nodes: 8, same: {...}, own: {train-003: {...}}}`` changes the healthy record of all nodes, or of one.
    """
    tested = CHECKS[check]
    if isinstance(tested, PlantCheck):
        return {build.plant_expectation(tested.unit).subject: build.healthy_record(tested.reads, case.get("seen"))}
    if not isinstance(tested, FleetCheck):
        return {case.get("node", "train-001"): build.healthy_record(tested.reads, case.get("seen"))}
    fleet = case.get("fleet", {})
    names = [f"train-{number:03d}" for number in range(1, fleet.get("nodes", 8) + 1)]
    changes = fleet.get("own", {})
    return {name: build.healthy_record(tested.reads, fleet.get("same", {}), changes.get(name)) for name in names}


def judged(check: str, case: dict[str, Any], *, no_limits: bool = False) -> dict[str, Finding]:
    """The findings of a check by node, for the node of a case."""
    return judge_with(check, case, no_limits=no_limits)(evidence(check, case))


def judge_with(
    check: str, case: dict[str, Any], *, no_limits: bool = False
) -> Callable[[dict[str, Record]], dict[str, Finding]]:
    """What finds by node, in the records that it is given, what the check finds with the expectations of a case."""
    tested = CHECKS[check]
    if isinstance(tested, PlantCheck):
        unit = build.plant_expectation(tested.unit, no_limits=no_limits)
        assert tested.applies(unit)
        return lambda records: {name: tested.judge(unit, record) for name, record in records.items()}
    promised = {**case.get("expect", {}), "no_limits": no_limits}
    expected = {name: build.expectation(name, **promised) for name in evidence(check, case)}
    assert all(tested.applies(expectation) for expectation in expected.values())
    if isinstance(tested, FleetCheck):
        return lambda records: dict(
            tested.judge([(expected[name], tested.takes(record)) for name, record in records.items()])
        )
    return lambda records: {name: tested.judge(expected[name], record) for name, record in records.items()}
