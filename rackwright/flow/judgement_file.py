"""``judgement.json`` beside the report: what was judged and decided, and on which basis. It is signed later, if it can be derived again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rackwright import attest, judge
from rackwright.base.errors import UsageError
from rackwright.flow.evidence_source import EvidenceSource, all_runs, twins
from rackwright.flow.gate_result import GateResult
from rackwright.flow.job import Job
from rackwright.flow.judgement_basis import judgement_basis
from rackwright.model.verdict import Verdict

SCHEMA = "rackwright.judgement/1"
JUDGEMENT_FILE = "judgement.json"


def verdict_bytes(verdicts: Sequence[Verdict]) -> bytes:
    """The bytes of the verdicts that are hashed."""
    return attest.canonical_json([verdict.model_dump(mode="json") for verdict in verdicts])


def judgement_text(
    basis: Mapping[str, Any],
    source: EvidenceSource,
    machines: Iterable[str],
    verdicts: Sequence[Verdict],
    extra: Mapping[str, Any],
) -> str:
    """The text of ``judgement.json``; `machines` have evidence that was read, `extra` holds run, nodes and decisions."""
    evidence = {"run": source.run, "as_of": source.as_of, "machines": sorted(machines)}
    data = {"schema": SCHEMA, "basis": dict(basis), "evidence": evidence, **extra}
    data["verdicts_sha256"] = attest.digest(verdict_bytes(verdicts))
    data["verdicts"] = [verdict.model_dump(mode="json") for verdict in verdicts]
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def write_judgement(
    job: Job,
    machines: Iterable[str],
    verdicts: Sequence[Verdict],
    gated: GateResult,
    source: EvidenceSource | None,
    created: str,
) -> None:
    """Write ``judgement.json`` beside the report of `job`; `machines` are those whose evidence was read."""
    store = job.evidence_store()
    evidence = source or all_runs(store)
    limits = judge.load_limits(roots=job.design.roots)
    basis = judgement_basis(job.design, job.path, job.workspace, limits, evidence.heads)
    extra = {
        "run": job.run,
        "created": created,
        "rehearsal": job.rehearsal is not None or bool(twins(store, evidence.heads)),
        "nodes": list(job.nodes),
        **{
            name: [record.model_dump(mode="json") for record in getattr(gated, name)]
            for name in ("decisions", "groups", "waivers")
        },
    }
    (job.workspace.folder("report") / JUDGEMENT_FILE).write_text(
        judgement_text(basis, evidence, machines, verdicts, extra), encoding="utf-8"
    )


def read_judgement(path: Path) -> dict[str, Any]:
    """The judgement in `path`. Raises UsageError if there is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise UsageError(f"{path} holds no judgement: run `rackwright gate` first") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise UsageError(f"{path} is of another version of rackwright: run `rackwright gate` again")
    return data
