"""The study ``deployment``: how long it takes, and how many accelerators can be used from which day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog import Catalog
from rackwright.design.deployment.schedule import Batch, BatchDates, days, schedule
from rackwright.design.deployment.work import SHARED, Key, Work, by_unit
from rackwright.model.design import Design
from rackwright.model.economics import Deployment

CALENDAR = "Every day is worked. Each crew finishes a phase before the next; racks, then cables, then nodes."


def add(design: Design, catalog: Catalog) -> Design:  # noqa: ARG001 - every step has the same shape
    """The design with its deployment study.

    Raises `ProblemsError` when a phase would end after the last year that a date can have.
    """
    deployment = design.site.deployment
    units = by_unit(design)
    study: dict[str, Any] = {"calendar": CALENDAR, "whole_site": _durations(sum(units.values(), Work()), deployment)}
    study |= {"phases": [], "capacity": [], "not_in_a_phase": {}}
    if deployment.phases:
        batches = list(_batches(deployment, units))
        dates = schedule(batches, deployment)
        unplanned = _unplanned_work(units, batches)
        study["phases"] = [_phase(*batch_dates) for batch_dates in zip(batches, dates, strict=True)]
        study["capacity"] = _capacity(batches, dates)
        study["not_in_a_phase"] = asdict(sum(unplanned.values(), Work())) | {
            "units": [_unit_name(key) for key in unplanned]
        }
    return replace(design, studies={**design.studies, "deployment": study})


def _durations(work: Work, rates: Deployment) -> dict[str, Any]:
    """Days of each crew for the whole site, and one after the other."""
    spans = {
        "rack_days": days(work.racks, rates.racks_per_day),
        "cable_days": days(work.cables, rates.cables_per_day),
        "node_days": days(work.nodes, rates.nodes_per_day),
        "acceptance_days": rates.acceptance_days,
    }
    speeds = {name: getattr(rates, name) for name in ("racks_per_day", "cables_per_day", "nodes_per_day")}
    return asdict(work) | speeds | spans | {"days": sum(spans.values())}


def _batches(deployment: Deployment, units: Mapping[Key, Work]) -> Iterator[Batch]:
    """Phases by start; each takes the next units of its pool, the first also the shared part."""
    handed_over: dict[str, int] = {}
    shared = units[SHARED]
    for phase in sorted(deployment.phases, key=lambda phase: phase.start):
        begin = handed_over.get(phase.pool, 0) + 1
        handed_over[phase.pool] = begin + phase.scalable_units - 1
        keys = [(phase.pool, unit) for unit in range(begin, begin + phase.scalable_units)]
        mine = tuple((key, units[key]) for key in keys if key in units)
        work = sum((phase for _, phase in mine), shared)
        yield Batch(phase.name, date.fromisoformat(phase.start).toordinal(), work, mine)
        shared = Work()


def _unplanned_work(units: Mapping[Key, Work], batches: Sequence[Batch]) -> dict[Key, Work]:
    used = {SHARED, *(key for batch in batches for key, _ in batch.units)}
    return {key: units[key] for key in sorted(units) if key not in used}


def _phase(batch: Batch, dates: BatchDates) -> dict[str, Any]:
    steps = {
        "delivered": batch.start,
        "racks_placed": dates.placed,
        "cabled": dates.cabled,
        "onboarded": dates.onboarded,
        "accepted": dates.accepted,
    }
    unit_names = [_unit_name(key) for key, _ in batch.units]
    when = {name: _iso(day, batch.name) for name, day in steps.items()}
    return {"phase": batch.name, "units": unit_names} | asdict(batch.work) | when


def _capacity(batches: Sequence[Batch], dates: Sequence[BatchDates]) -> list[dict[str, Any]]:
    """Accelerators that can be used from each day on which a unit is handed over."""
    capacity: list[dict[str, Any]] = []
    nodes = accelerators = 0
    for day, name, work in _handed(batches, dates):
        nodes, accelerators = nodes + work.nodes, accelerators + work.accelerators
        row = {"date": _iso(day, name), "nodes": nodes, "accelerators": accelerators}
        if capacity and capacity[-1]["date"] == row["date"]:
            capacity.pop()
        capacity.append(row)
    return capacity


def _handed(batches: Sequence[Batch], dates: Sequence[BatchDates]) -> list[tuple[int, str, Work]]:
    """Handovers of units by day."""
    handed_over = [
        (day, batch.name, work)
        for batch, batch_date in zip(batches, dates, strict=True)
        for (_, work), day in zip(batch.units, batch_date.units, strict=True)
    ]
    return sorted(handed_over, key=lambda batch_date: batch_date[0])


def _unit_name(key: Key) -> str:
    return f"{key[0]} unit {key[1]}"


def _iso(day: int, phase: str) -> str:
    if day > date.max.toordinal():
        late = day - date.max.toordinal()
        problem = Problem(
            place="site",
            path="deployment",
            message=f"phase {phase} never ends",
            expected=f"an end before {date.max.isoformat()}",
            found=f"an end {late} day{'' if late == 1 else 's'} later",
            next_step="raise racks_per_day, cables_per_day or nodes_per_day, or lower acceptance_days",
            code="design.deployment_dates",
        )
        raise ProblemsError([problem])
    return date.fromordinal(day).isoformat()
