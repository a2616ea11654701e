"""Keeps what isolations came to, and tells the gate of it: who is blamed, and how much of each fabric was seen at all.

Raw output
and readings are in the evidence; this is what was concluded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from rackwright import gate
from rackwright.base.errors import OutsideError, Problem, ProblemsError
from rackwright.base.workspace import Workspace
from rackwright.flow import cable_coverage
from rackwright.flow.job import Job
from rackwright.isolate.verdict import IsolationVerdict
from rackwright.model.check import NodeEvidence
from rackwright.model.gate import Hold
from rackwright.model.isolation import Blamed, Isolated

FOLDER = "isolation"
SHARED = ("cable", "switch")


def keep(workspace: Workspace, found: IsolationVerdict, fabric: str, run: str, taken: str) -> Isolated:
    """Write the result of `run` down; `taken` is the ISO time of its end.

    A node of which a rail or the inside stands in no good reading is not cleared: that takes no blame away from it.
    """
    unproven = {name.partition("/")[0] for one in found.unproven for name in one.names}
    kept = Isolated(
        run=run,
        taken=taken,
        fabric=fabric,
        found=[
            Blamed(kind=one.part.kind, names=list(one.part.names), node=one.node, probability=round(one.probability, 4))
            for one in found.found
        ],
        faulty=list(found.faulty),
        cleared=[node for node in found.cleared if node not in unproven],
        unsettled=[
            *(node for node, _ in found.open),
            *found.untested,
            *(node for node in found.cleared if node in unproven),
        ],
        uncovered=[name for one in found.coverage.untested if one.part.kind in SHARED for name in one.part.names],
        tests=found.tests,
        rounds=found.rounds,
        complete=found.complete,
    )
    path = workspace.folder(FOLDER) / f"{run}.json"
    try:
        path.write_text(kept.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise OutsideError(f"{path} cannot be written ({error.strerror}): give another folder with --work") from error
    return kept


def stored(workspace: Workspace) -> list[Isolated]:
    """Every result, in the order of their names; ProblemsError names each file that cannot be read."""
    found: list[Isolated] = []
    problems: list[Problem] = []
    for path in sorted(workspace.folder(FOLDER).glob("*.json")):
        try:
            found.append(Isolated.model_validate_json(path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, ValidationError) as error:
            problems.append(_problem(str(path), str(error).splitlines()[0]))
    if problems:
        raise ProblemsError(problems)
    return found


@dataclass(frozen=True)
class Known:
    """What the gate is told."""

    holds: list[Hold]
    faults: Mapping[str, list[str]]
    """By fabric: cables and switches that are blamed."""
    notes: Mapping[str, list[str]]
    """By fabric: cables that nobody could see."""
    coverage: Mapping[str, tuple[int, int]]
    """By fabric: cables that were seen, and all that could be."""


def known(job: Job, seen: Mapping[str, NodeEvidence]) -> Known:
    """For the candidates of `job`; ProblemsError as `stored`."""
    results, hours = stored(job.workspace), job.design.site.acceptance.isolation_hours
    counted = cable_coverage.coverage_by_fabric(job.design, seen, job.candidates)
    wanted = None if hours is None else gate.IsolationPolicy(hours, _reached(job), job.now())
    return Known(
        holds=gate.isolation_holds(results, job.candidates, wanted),
        faults=gate.blamed_fabrics(results),
        notes={name: [_blind(one.blind)] for name, one in counted.items() if one.blind},
        coverage={name: (one.seen, one.planned) for name, one in counted.items()},
    )


def _reached(job: Job) -> list[str]:
    """Candidates with a port in a fabric that collectives run over."""
    compute = {fabric.name for fabric in job.design.site.fabrics if fabric.role == "compute"}
    return [name for name in job.candidates if any(link.fabric in compute for link in job.design.links(name))]


def _blind(count: int) -> str:
    return f"{count} cables between its switches could be seen by no machine of this run"


def _problem(place: str, said: str) -> Problem:
    return Problem(
        place=place,
        path="",
        message="the result of an isolation cannot be read",
        expected="the file as rackwright isolate --run wrote it",
        found=said,
        next_step="isolate again, and move the file away",
        code="isolation.unreadable",
    )
