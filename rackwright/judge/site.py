"""Judges a site from evidence in memory: nodes, then the rack PDUs and CDUs around them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rackwright.base.garbage import no_collection
from rackwright.judge.calibrated_rows import in_force, newest
from rackwright.judge.engine import Engine
from rackwright.judge.expect import expect
from rackwright.judge.judgement import Judgement, join
from rackwright.judge.limits import LimitTable
from rackwright.judge.plant import node_checks, plant_names, plant_rows, plant_verdicts
from rackwright.model.check import AnyCheck, FleetCheck, Limits, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome, Verdict


def judge_evidence(
    design: Design,
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
    nodes: Sequence[str] | None = None,
    baselines: Limits | None = None,
) -> list[Verdict]:
    """One verdict for every check on `nodes` (by default those with evidence), in design order, then by check id, then of the plant around them.

    A node of `nodes` without evidence, and a unit without evidence, gets `not_run` from every check that applies to it; a node with
    evidence that is not among them is still a peer. `baselines` (see `learn_baselines`) are shown beside the limits.
    Raises KeyError for a name that the design does not have.
    """
    if isinstance(limits, LimitTable):
        limits = in_force(design, limits, newest(evidence.values()))
    units = plant_names(design)
    of_nodes = {name: stored for name, stored in evidence.items() if name not in units}
    judged_nodes = set(of_nodes if nodes is None else nodes)
    ordered = dict(sorted(node_checks(checks).items()))
    peers = of_nodes if any(isinstance(check, FleetCheck) for check in ordered.values()) else ()
    expectations = expect(design, {}, limits, {*judged_nodes, *peers}, baselines, must=judged_nodes)
    with no_collection():
        part = Engine(ordered, passes=True).judge(expectations, of_nodes, judged_nodes)
        judgement = join(expectations, [part], ordered, passes=True, judged_nodes=judged_nodes)
        return [*judgement.verdicts, *plant_verdicts(design, judged_nodes, evidence, checks, limits)]


def with_plant(
    judgement: Judgement,
    design: Design,
    nodes: Collection[str],
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
    *,
    passes: bool,
) -> Judgement:
    """`judgement` with the findings of the units around `nodes`."""
    counts, rows = judgement.counts.copy(), list(judgement.rows)
    units: dict[str, list[str]] = defaultdict(list)
    for row in plant_rows(design, nodes, evidence, checks, limits):
        units[row[0]].append(row[1])
        counts[row[2].outcome] += 1
        if passes or row[2].outcome is not Outcome.PASS:
            rows.append(row)
    judged = {**judgement.judged, **{unit: tuple(names) for unit, names in units.items()}}
    return replace(judgement, counts=counts, rows=rows, checks=dict(checks), units=len(units), judged=judged)
