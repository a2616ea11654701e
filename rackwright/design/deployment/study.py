"""The study ``deployment``: how long it takes, and from which day how many accelerators can be used.

Without phases there are durations alone: when things are delivered is for the owner to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog import Catalog
from rackwright.design.deployment.schedule import Batch, Dates, days, schedule
from rackwright.design.deployment.work import SHARED, Key, Work, by_unit
from rackwright.model.design import Design
from rackwright.model.economics import Deployment

CALENDAR = "Every day is worked. Each crew finishes a phase before the next; racks, then cables, then nodes."


def add(design: Design, catalog: Catalog) -> Design:  # noqa: ARG001 - every step has the same shape
    """The design with its deployment study.

    Raises `ProblemsError` when a phase would end after the last year that a date can have.
    """
    wanted = design.site.deployment
    units = by_unit(design)
    study: dict[str, Any] = {"calendar": CALENDAR, "whole_site": _durations(sum(units.values(), Work()), wanted)}
    study |= {"phases": [], "capacity": [], "not_in_a_phase": {}}
    if wanted.phases:
        batches = list(_batches(wanted, units))
        dates = schedule(batches, wanted)
        left = _left(units, batches)
        study["phases"] = [_phase(*one) for one in zip(batches, dates, strict=True)]
        study["capacity"] = _capacity(batches, dates)
        study["not_in_a_phase"] = asdict(sum(left.values(), Work())) | {"units": [_named(key) for key in left]}
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


def _batches(wanted: Deployment, units: Mapping[Key, Work]) -> Iterator[Batch]:
    """Phases by start; each takes the next units of its pool, the first also what is shared."""
    taken: dict[str, int] = {}
    shared = units[SHARED]
    for phase in sorted(wanted.phases, key=lambda one: one.start):
        begin = taken.get(phase.pool, 0) + 1
        taken[phase.pool] = begin + phase.scalable_units - 1
        keys = [(phase.pool, unit) for unit in range(begin, begin + phase.scalable_units)]
        mine = tuple((key, units[key]) for key in keys if key in units)
        work = sum((one for _, one in mine), shared)
        yield Batch(phase.name, date.fromisoformat(phase.start).toordinal(), work, mine)
        shared = Work()


def _left(units: Mapping[Key, Work], batches: Sequence[Batch]) -> dict[Key, Work]:
    used = {SHARED, *(key for batch in batches for key, _ in batch.units)}
    return {key: units[key] for key in sorted(units) if key not in used}


def _phase(batch: Batch, dates: Dates) -> dict[str, Any]:
    steps = {
        "delivered": batch.start,
        "racks_placed": dates.placed,
        "cabled": dates.cabled,
        "onboarded": dates.onboarded,
        "accepted": dates.accepted,
    }
    named = [_named(key) for key, _ in batch.units]
    when = {name: _iso(day, batch.name) for name, day in steps.items()}
    return {"phase": batch.name, "units": named} | asdict(batch.work) | when


def _capacity(batches: Sequence[Batch], dates: Sequence[Dates]) -> list[dict[str, Any]]:
    """Accelerators that can be used from each day on which a unit is handed over."""
    found: list[dict[str, Any]] = []
    nodes = accelerators = 0
    for day, name, work in _handed(batches, dates):
        nodes, accelerators = nodes + work.nodes, accelerators + work.accelerators
        row = {"date": _iso(day, name), "nodes": nodes, "accelerators": accelerators}
        if found and found[-1]["date"] == row["date"]:
            found.pop()
        found.append(row)
    return found


def _handed(batches: Sequence[Batch], dates: Sequence[Dates]) -> list[tuple[int, str, Work]]:
    """Handovers of units by day."""
    found = [
        (day, batch.name, work)
        for batch, one in zip(batches, dates, strict=True)
        for (_, work), day in zip(batch.units, one.units, strict=True)
    ]
    return sorted(found, key=lambda one: one[0])


def _named(key: Key) -> str:
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
