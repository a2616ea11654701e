"""Shared by the checks of rack PDUs, power shelves and CDUs: the limit of a unit, and the finding for its readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from rackwright.compare.limits import limit_source, number
from rackwright.compare.named_readings import NamedReadings, by_name
from rackwright.compare.readings import every as every_reading
from rackwright.compare.readings import finding
from rackwright.model.base import Record
from rackwright.model.check import Limit, PlantCheck, PlantExpectation
from rackwright.model.equipment import CoolantUnit, Equipment, RackPdu, ShelfUnit
from rackwright.model.evidence.plant import PowerCircuit
from rackwright.model.facility import Circuit
from rackwright.model.verdict import Finding, Outcome

__all__ = [
    "by_line",
    "by_name",
    "cdu",
    "every",
    "finding",
    "healthy",
    "limit",
    "no_limit",
    "nominal_volts",
    "pdu",
    "shelf",
    "source",
    "threshold",
]

T = TypeVar("T")
E = TypeVar("E", bound=Record)
U = TypeVar("U", bound=Equipment)
TO_NEUTRAL = 3**0.5
"""Ratio of the voltage between lines to the voltage to neutral, in a three-phase circuit."""


def pdu(expectation: PlantExpectation) -> RackPdu:
    """The rack PDU that is judged; AssertionError for any other unit."""
    unit = expectation.unit
    assert isinstance(unit, RackPdu), f"{unit.name} is no rack PDU"
    return unit


def cdu(expectation: PlantExpectation) -> CoolantUnit:
    """The CDU that is judged; AssertionError for any other unit."""
    unit = expectation.unit
    assert isinstance(unit, CoolantUnit), f"{unit.name} is no CDU"
    return unit


def shelf(expectation: PlantExpectation) -> ShelfUnit:
    """The power shelf that is judged; AssertionError for any other unit."""
    unit = expectation.unit
    assert isinstance(unit, ShelfUnit), f"{unit.name} is no power shelf"
    return unit


def nominal_volts(circuit: Circuit) -> tuple[float, float]:
    """Volts of `circuit` between lines, and to neutral: loads are wired one way or the other."""
    return circuit.volts, circuit.volts / TO_NEUTRAL


def limit(expectation: PlantExpectation, metric: str, **key: str) -> Limit | None:
    """The limit of `metric` for this unit, by its kind and by `key`."""
    return expectation.limits.find(metric, kind=expectation.unit.kind, **key)


def no_limit(expectation: PlantExpectation, metric: str) -> Finding:
    """The inconclusive finding for a missing limit."""
    says = f"{expectation.subject}: no limit for {metric}, so nothing can be judged"
    return Finding(outcome=Outcome.INCONCLUSIVE, observed="", expected=f"a row for {metric}", source="", says=says)


def every(
    expectation: PlantExpectation,
    readings: Mapping[str, T | None],
    good: Callable[[T], bool],
    *,
    what: str,
    expected: str,
    source: str,
    unread: int = 0,
) -> Finding:
    """As `readings.every`; a pass becomes inconclusive if `unread` listed parts were not read."""
    listed = {**readings, f"{unread} of the parts that it lists": None} if unread else readings
    return every_reading(expectation, listed, good, what=what, expected=expected, source=source)


def healthy(expectation: PlantExpectation, health_by_part: Mapping[str, str | None], *, unread: int = 0) -> Finding:
    """Compare the health that a unit and its parts report; None for a part that reports none."""
    return every(
        expectation,
        health_by_part,
        lambda health: health == "OK",
        what="health:",
        expected="OK",
        source="Redfish schema Resource, Status.Health",
        unread=unread,
    )


def by_line(circuits: list[PowerCircuit] | None, field: str) -> NamedReadings[float | None]:
    """One reading of each line of `circuits`, by circuit and line."""
    lines = [(f"{circuit.name} {name}", line) for circuit in circuits or () for name, line in circuit.lines.items()]
    return NamedReadings([getattr(line, field) for _, line in lines], lambda: [name for name, _ in lines])


def source(expectation: PlantExpectation, field: str) -> str:
    """Source of a value of the design, in words."""
    return f"design {expectation.unit.name}, {field}"


def threshold(
    *,
    reads: type[E],
    unit: type[U],
    metric: str,
    readings: Callable[[U, E], Mapping[str, Any]],
    good: Callable[[U, Any, float], bool],
    what: str,
    expected: Callable[[U, float], str],
    source: str,
    unread: Callable[[E], int] = lambda _: 0,
    applies: Callable[[U], bool] = lambda _: True,
    under_load: bool = False,
) -> PlantCheck[E]:
    """A check that passes if every reading is `good` with the number of the limit `metric`; without that limit it is
    inconclusive.

    `source` is a format with ``unit`` and precedes the source of the limit. `unread` counts the listed parts that were
    not read.
    """

    def judge(expectation: PlantExpectation, record: E) -> Finding:
        row = limit(expectation, metric)
        if row is None:
            return no_limit(expectation, metric)
        equipment, bound = cast("U", expectation.unit), number(row)
        return every(
            expectation,
            readings(equipment, record),
            lambda reading: good(equipment, reading, bound),
            what=what,
            expected=expected(equipment, bound),
            source=f"{source.format(unit=equipment)}; {limit_source(row)}",
            unread=unread(record),
        )

    return PlantCheck(
        reads=reads,
        judge=judge,
        unit=unit,
        applies=lambda expectation: applies(cast("U", expectation.unit)),
        under_load=under_load,
    )
