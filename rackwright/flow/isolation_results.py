"""Converts verdicts of isolation to results, and results to holds, faults and coverage for the gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from rackwright import gate
from rackwright.flow.cable_coverage import FabricCoverage
from rackwright.isolate.verdict import IsolationVerdict
from rackwright.model.design import Design
from rackwright.model.gate import Hold
from rackwright.model.isolation import Blamed, Clearance, Isolated
from rackwright.model.times import second_text

SHARED = ("cable", "switch")


def result_of(verdict: IsolationVerdict, fabric: str, run: str, ended: datetime) -> Isolated:
    """The result of `run`, which ended at `ended`.

    A node is not cleared if one of its rails, or the node itself, has no good reading: such a result cannot lift blame
    from it.
    """
    unproven = {name.partition("/")[0] for part in verdict.unproven for name in part.names}
    return Isolated(
        run=run,
        taken=second_text(ended),
        fabric=fabric,
        found=[
            Blamed(
                kind=part.part.kind,
                names=list(part.part.names),
                node=part.node,
                probability=round(part.probability, 4),
                loss=None if part.loss is None else round(part.loss, 4),
                frequency=None if part.frequency is None else round(part.frequency, 4),
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
        clearances=[
            Clearance(loss=cleared.reach.loss, frequency=cleared.reach.frequency, nodes=proven)
            for cleared in verdict.clearances
            if (proven := [node for node in cleared.nodes if node not in unproven])
        ],
        ties=[list(nodes) for nodes in verdict.ties],
        offset=round(verdict.offset, 4),
        tests=verdict.tests,
        rounds=verdict.rounds,
        complete=verdict.complete,
    )


@dataclass(frozen=True)
class IsolationInputs:
    """Input of the gate from isolation."""

    holds: list[Hold]
    faults: Mapping[str, list[str]]
    """Fabric -> blamed cables and switches."""
    notes: Mapping[str, list[str]]
    """Fabric -> remark on cables that could not be observed."""
    coverage: Mapping[str, tuple[int, int]]
    """Fabric -> number of observed cables, and of all that could be observed."""


def gate_inputs(
    design: Design,
    candidates: Sequence[str],
    now: datetime,
    results: Sequence[Isolated],
    coverage: Mapping[str, FabricCoverage],
) -> IsolationInputs:
    """The input of the gate for the nodes `candidates`, as of `now`."""
    hours = design.site.acceptance.isolation_hours
    policy = None if hours is None else gate.IsolationPolicy(hours, _reached_candidates(design, candidates), now)
    return IsolationInputs(
        holds=gate.isolation_holds(results, candidates, policy),
        faults=gate.blamed_fabrics(results),
        notes={
            name: [_blind_sentence(fabric_coverage.blind)]
            for name, fabric_coverage in coverage.items()
            if fabric_coverage.blind
        },
        coverage={
            name: (fabric_coverage.observed, fabric_coverage.planned) for name, fabric_coverage in coverage.items()
        },
    )


def _reached_candidates(design: Design, candidates: Sequence[str]) -> list[str]:
    """Candidates with a port in a fabric over which collectives run."""
    compute = {fabric.name for fabric in design.site.fabrics if fabric.role == "compute"}
    cables = design.cables.filter(pl.col("fabric").is_in(compute))
    reached = {*cables["a_device"], *cables["b_device"]}
    return [name for name in candidates if name in reached]


def _blind_sentence(count: int) -> str:
    return f"{count} cables between its switches could be seen by no machine of this run"
