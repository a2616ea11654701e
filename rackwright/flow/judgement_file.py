"""``judgement.json`` beside the report: input, result and basis of judgement and decision.

It is signed later, if the same result can be derived from the evidence again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, ValidationError

from rackwright import attest, judge
from rackwright.attest.facts import Basis
from rackwright.base.durable_file import replace_file
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.base.terminal_text import escape_json
from rackwright.flow.evidence_source import EvidenceSource, all_runs, twins
from rackwright.flow.gate_result import GateResult
from rackwright.flow.handover_data import RunRecord
from rackwright.flow.job import Job
from rackwright.flow.judgement_basis import judgement_basis
from rackwright.model.base import Record
from rackwright.model.gate import Decision, GroupDecision, Waiver
from rackwright.model.ledger_head import LedgerHead
from rackwright.model.repair import PartEvent
from rackwright.model.times import IsoTime, parse_time, second_text
from rackwright.model.verdict import Verdict

JUDGEMENT_FILE = "judgement.json"


class JudgedEvidence(Record):
    """The readings that were judged."""

    run: str
    """The judged run; empty for the newest readings of all runs."""
    as_of: IsoTime | Literal[""]
    """ISO time from which the age of readings counted; empty if it did not count."""
    machines: list[str]


class StoredJudgement(Record):
    """Content of the file."""

    model_config = ConfigDict(populate_by_name=True)

    layout: Literal["rackwright.judgement/3"] = Field("rackwright.judgement/3", alias="schema")
    basis: Basis
    evidence: JudgedEvidence
    created: IsoTime
    """ISO time of the decision."""
    rehearsal: bool
    ledger: LedgerHead
    """The head of the ledger when this was written."""
    record: RunRecord
    part_events: list[PartEvent]
    """The history of parts that the gate knew."""
    decisions: list[Decision]
    groups: list[GroupDecision]
    waivers: list[Waiver]
    verdicts_sha256: str
    verdicts: list[Verdict]

    @property
    def decided_at(self) -> datetime:
        """`created` as a time."""
        return parse_time(self.created)


def verdict_bytes(verdicts: Sequence[Verdict]) -> bytes:
    """The bytes of the verdicts that are hashed."""
    return attest.canonical_json([verdict.model_dump(mode="json") for verdict in verdicts])


def write_judgement(
    job: Job,
    machines: Iterable[str],
    verdicts: Sequence[Verdict],
    gated: GateResult,
    record: RunRecord,
    source: EvidenceSource | None,
) -> None:
    """Write ``judgement.json`` beside the report of `job`; `machines` are those whose evidence was read."""
    evidence = source or all_runs(job.evidence_store())
    limits = judge.load_limits(roots=job.design.roots)
    head = job.ledger.head()
    assert head is not None  # the run itself is in it
    judgement = StoredJudgement(
        basis=Basis(**judgement_basis(job.design, job.path, gated.record.sealed, limits, evidence.heads)),
        evidence=JudgedEvidence(run=evidence.run, as_of=evidence.as_of, machines=sorted(machines)),
        created=second_text(gated.record.now),
        rehearsal=job.rehearsal is not None or bool(twins(evidence.store, evidence.heads)),
        ledger=head,
        record=record,
        part_events=list(gated.record.part_events),
        decisions=list(gated.decisions),
        groups=list(gated.groups),
        waivers=list(gated.record.waivers),
        verdicts_sha256=attest.digest(verdict_bytes(verdicts)),
        verdicts=list(verdicts),
    )
    text = json.dumps(judgement.model_dump(mode="json", by_alias=True), indent=1, sort_keys=True, ensure_ascii=False)
    replace_file(job.workspace.folder("report") / JUDGEMENT_FILE, escape_json(text) + "\n")


def read_judgement(path: Path) -> StoredJudgement:
    """The judgement in `path`.

    Raises UsageError if there is none or of another version, ProblemsError if it is malformed.
    """
    try:
        content = path.read_bytes()
        layout = json.loads(content)["schema"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"{path} holds no judgement: run `rackwright gate` first") from None
    if layout != StoredJudgement.model_fields["layout"].default:
        raise UsageError(f"{path} is of another version of rackwright: run `rackwright gate` again")
    try:
        return StoredJudgement.model_validate_json(content)
    except ValidationError as error:
        raise ProblemsError(
            Problem(
                str(path), ".".join(map(str, detail["loc"])), detail["msg"], "what `rackwright gate` wrote",
                repr(detail["input"])[:200], "run `rackwright gate` again", "attest.malformed",
            )
            for detail in error.errors(include_url=False)
        ) from None  # fmt: skip
