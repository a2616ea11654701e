"""Calibrates unpublished limits on healthy nodes of the twin: a rehearsal calibrates as its site will have to.

On the site, people declare the terms and answer for the limits (``acceptance.calibrations``, ``rackwright judge --learn
FILE --calibrate SERVER``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rackwright import judge
from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ProblemsError
from rackwright.flow import unpublished_limits
from rackwright.flow.job import Job
from rackwright.model.calibration import Calibration
from rackwright.model.check import Limit, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.times import parse_day, second_text
from rackwright.twin.campaign import Stage
from rackwright.twin.campaign.play import collect_evidence, judge_scene

SIGNER = "the twin of this rehearsal"
"""Signer of terms that the site does not declare; such limits count only in the rehearsal."""


def with_limits_of_twin(job: Job, evidence_by_node: Mapping[str, NodeEvidence]) -> Job:
    """`job` with limits that the last gate requires and that are not published; the same job if none is missing.

    A limit that the nodes of a server cannot provide, because the site has too few of them, stays missing, and refuses
    these nodes.
    """
    design, rows = job.design, list[Limit]()
    limits = judge.limits_in_force(design, job.now().date())
    missing = unpublished_limits.unjudged(design, job.candidates, {job.run: evidence_by_node}, limits)
    for server, checks in missing.items():
        terms = next((entry for entry in design.site.acceptance.calibrations if entry.server == server), None)
        terms = terms or Calibration(server=server, nodes=4, runs=2, signed_by=SIGNER)
        try:
            rows += _rows(job, terms)
        except ProblemsError as error:
            job.watch.note(f"{server}: {error.problems[0].message}")
            continue
        job.watch.note(
            f"no limit is published for {', '.join(checks)} on {server}: healthy nodes of the twin made it, and it holds in this rehearsal alone; the "
            f"site calibrates with `rackwright judge SITE --learn FILE --calibrate {server}`"
        )
        design = _with_terms(design, terms)
    if not rows:
        return job
    folder = job.workspace.folder("twin-limits")
    place = folder / "validators" / "limits"
    place.mkdir(parents=True, exist_ok=True)
    replace_file(place / "twin.yaml", judge.limits_text(rows))
    return replace(job, design=replace(design, roots=(*design.roots, folder)))


def _rows(job: Job, terms: Calibration) -> list[Limit]:
    """The limits from the first nodes of `terms.server`, healthy, in as many runs as the terms require.

    Raises ProblemsError.
    """
    nodes = tuple(node.name for node in job.design.nodes("accelerator") if node.server.sku == terms.server)
    stage = Stage(job.design, nodes[: terms.nodes], second_text(job.now()))
    runs = dict(_runs(stage, terms.runs))
    verdicts = judge_scene(stage, next(iter(runs.values())))
    day = parse_day(stage.collected_at) or job.now().date()
    return judge.calibrate(job.design, terms, runs, stage.checks, stage.limits, verdicts, day)


def _runs(stage: Stage, count: int) -> Iterator[tuple[str, dict[str, NodeEvidence]]]:
    for seed in range(1, count + 1):
        yield f"run-{seed}", collect_evidence(stage, replace(stage.healthy, seed=seed))


def _with_terms(design: Design, terms: Calibration) -> Design:
    acceptance = design.site.acceptance
    if terms in acceptance.calibrations:
        return design
    declared = acceptance.model_copy(update={"calibrations": [*acceptance.calibrations, terms]})
    return replace(design, site=design.site.model_copy(update={"acceptance": declared}))
