"""Judges what feeds and cools the nodes: rack PDUs and CDUs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rackwright.judge.engine import Row
from rackwright.judge.engine_findings import crash_finding, missing_finding
from rackwright.judge.judgement import verdict
from rackwright.model.check import AnyCheck, Limits, NodeEvidence, PlantCheck, PlantExpectation
from rackwright.model.design import Design
from rackwright.model.equipment import Equipment, equipment
from rackwright.model.lazy_finding import worded
from rackwright.model.records import reading_name
from rackwright.model.times import parse_day
from rackwright.model.verdict import Finding, Verdict


def plant_names(design: Design) -> frozenset[str]:
    """The names of all units that have readings."""
    return frozenset(unit.name for unit in equipment(design))


def node_checks(checks: Mapping[str, AnyCheck]) -> dict[str, AnyCheck]:
    """The checks that judge nodes."""
    return {name: check for name, check in checks.items() if not isinstance(check, PlantCheck)}


def plant_rows(
    design: Design,
    nodes: Collection[str],
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
) -> Iterator[Row]:
    """The findings of the units around `nodes`, in design order, then by check id."""
    plant_checks = {name: check for name, check in sorted(checks.items()) if isinstance(check, PlantCheck)}
    for unit in equipment(design, list(nodes)) if plant_checks else ():
        stored = evidence.get(unit.name)
        for name, finding in unit_findings(unit, stored, plant_checks, limits):
            reads = plant_checks[name].reads
            yield unit.name, name, finding, stored.raw.get(reads) if stored is not None else None


def unit_findings(
    unit: Equipment, stored: NodeEvidence | None, plant_checks: Mapping[str, PlantCheck[Any]], limits: Limits
) -> Iterator[tuple[str, Finding]]:
    """The findings of one unit by check id, of the checks that apply to it."""
    record_names = {reading_name(check.reads) for check in plant_checks.values()}
    expectation = PlantExpectation(unit, limits, parse_day(stored.taken) if stored is not None else None)
    for name, check in plant_checks.items():
        finding = _finding(name, check, expectation, stored, record_names)
        if finding is not None:
            yield name, finding


def plant_verdicts(
    design: Design,
    nodes: Collection[str],
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
) -> Iterator[Verdict]:
    """The verdicts of the units around `nodes`, in design order, then by check id."""
    for unit, name, finding, raw in plant_rows(design, nodes, evidence, checks, limits):
        yield verdict(name, checks[name], unit, finding, raw)


def _finding(
    name: str,
    check: PlantCheck[Any],
    expectation: PlantExpectation,
    stored: NodeEvidence | None,
    record_names: set[str],
) -> Finding | None:
    """The finding of one check for one unit; None when it does not apply to it."""
    unit = expectation.unit
    try:
        if not isinstance(unit, check.unit) or not check.applies(expectation):
            return None
        record = stored.get(check.reads) if stored is not None else None
        if record is None:
            return missing_finding(unit.name, check, stored, record_names)
        return worded(check.judge(expectation, record))
    except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
        return crash_finding(unit.name, name, error)
