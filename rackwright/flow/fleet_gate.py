"""Judges a large site for the gate: `pipeline.judge_nodes` and `pipeline.extract_evidence` combined, in several
processes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from rackwright import judge
from rackwright.base.garbage import no_collection
from rackwright.flow import summaries
from rackwright.flow.evidence_extract import ExtractReader, GateExtract
from rackwright.flow.fleet_judgement import judge_store
from rackwright.flow.job import Job
from rackwright.model.node_verdicts import Verdicts


def judge_fleet(job: Job, folder: Path, as_of: datetime | None = None) -> tuple[Job, Verdicts, GateExtract]:
    """The verdicts on all evidence below `folder`, recorded in the ledger, and the extract that the gate needs.

    The returned job has only the nodes with evidence. Passes are returned by name only.
    """
    with job.step("judge") as step, no_collection():
        checks, limits = judge.load_checks(job.design.roots), judge.load_limits(roots=job.design.roots)
        reader = ExtractReader(job.design, {node.name for node in job.design.nodes("accelerator")})
        judgement = judge_store(folder, job.design, limits, checks, passes=False, look=reader.read, as_of=as_of)
        verdicts = judgement.by_target
        job.ledger.record_verdicts(job.run, verdicts)
        step.end(summaries.outcome_summary(judgement.counts))
    job = replace(job, nodes=tuple(judgement.order))
    return job, verdicts, reader.join(checks, job.candidates, judgement.looked)
