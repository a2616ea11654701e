"""Stores isolation results, and turns them into holds, faults and coverage for the gate.

Raw output and readings are in the evidence; this file keeps the conclusions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import polars as pl
from pydantic import ValidationError

from rackwright import gate
from rackwright.base.errors import OutsideError, Problem, ProblemsError
from rackwright.base.workspace import Workspace
from rackwright.flow.cable_coverage import FabricCoverage
from rackwright.isolate.verdict import IsolationVerdict
from rackwright.model.design import Design
from rackwright.model.gate import Hold
from rackwright.model.isolation import Blamed, Isolated
from rackwright.model.times import second_text

FOLDER = "isolation"
SHARED = ("cable", "switch")


def write_result(workspace: Workspace, verdict: IsolationVerdict, fabric: str, run: str, ended: datetime) -> Isolated:
    """Write the result of `run`; `ended` is the ISO time of its end.

    A node is not cleared if one of its rails, or the node itself, has no good reading: the result cannot lift blame from it.
    """
    unproven = {name.partition("/")[0] for part in verdict.unproven for name in part.names}
    result = Isolated(
        run=run,
        taken=second_text(ended),
        fabric=fabric,
        found=[
            Blamed(
                kind=part.part.kind, names=list(part.part.names), node=part.node, probability=round(part.probability, 4)
            )
            for part in verdict.faulty_parts
        ],
        faulty=list(verdict.faulty),
        cleared=[node for node in verdict.cleared if node not in unproven],
        unsettled=[
            *(node for node, _ in verdict.open),
            *verdict.untested,
            *(node for node in verdict.cleared if node in unproven),
        ],
        uncovered=[name for part in verdict.coverage.untested if part.part.kind in SHARED for name in part.part.names],
        tests=verdict.tests,
        rounds=verdict.rounds,
        complete=verdict.complete,
    )
    path = workspace.folder(FOLDER) / f"{run}.json"
    try:
        path.write_text(result.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise OutsideError(f"{path} cannot be written ({error.strerror}): give another folder with --work") from error
    return result


def load_results(folder: Path) -> list[Isolated]:
    """Every result in `folder`, in the order of file names. Raises ProblemsError with each unreadable file."""
    results: list[Isolated] = []
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.json")):
        try:
            results.append(Isolated.model_validate_json(path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, ValidationError) as error:
            problems.append(_problem(str(path), str(error).splitlines()[0]))
    if problems:
        raise ProblemsError(problems)
    return results


@dataclass(frozen=True)
class IsolationInputs:
    """What isolation contributes to the gate."""

    holds: list[Hold]
    faults: Mapping[str, list[str]]
    """By fabric: blamed cables and switches."""
    notes: Mapping[str, list[str]]
    """By fabric: cables that could not be observed."""
    coverage: Mapping[str, tuple[int, int]]
    """By fabric: observed cables, and all that could be observed."""


def gate_inputs(
    design: Design,
    candidates: Sequence[str],
    now: datetime,
    results: Sequence[Isolated],
    coverage: Mapping[str, FabricCoverage],
) -> IsolationInputs:
    """For the nodes `candidates`, as of `now`."""
    hours = design.site.acceptance.isolation_hours
    policy = None if hours is None else gate.IsolationPolicy(hours, _reached(design, candidates), now)
    return IsolationInputs(
        holds=gate.isolation_holds(results, candidates, policy),
        faults=gate.blamed_fabrics(results),
        notes={
            name: [_blind(fabric_coverage.blind)] for name, fabric_coverage in coverage.items() if fabric_coverage.blind
        },
        coverage={
            name: (fabric_coverage.observed, fabric_coverage.planned) for name, fabric_coverage in coverage.items()
        },
    )


def _reached(design: Design, candidates: Sequence[str]) -> list[str]:
    """Candidates with a port in a fabric that collectives run over."""
    compute = {fabric.name for fabric in design.site.fabrics if fabric.role == "compute"}
    cables = design.cables.filter(pl.col("fabric").is_in(compute))
    reached = {*cables["a_device"], *cables["b_device"]}
    return [name for name in candidates if name in reached]


def _blind(count: int) -> str:
    return f"{count} cables between its switches could be seen by no machine of this run"


def _problem(place: str, reason: str) -> Problem:
    return Problem(
        place=place,
        path="",
        message="the result of an isolation cannot be read",
        expected="the file as rackwright isolate --run wrote it",
        found=reason,
        next_step="isolate again, and move the file away",
        code="isolation.unreadable",
    )
