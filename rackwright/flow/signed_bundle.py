"""From a judgement to a signed bundle: stores the judgement, and later puts it under one signature.

If site file, limits, checks or evidence changed in between, signing is refused: the signature is for what was judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from rackwright import __version__, attest, collect, judge
from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.collect.store.verify import objects, unlinked, verify_run
from rackwright.flow.gate_result import GateResult
from rackwright.flow.job import Job
from rackwright.model.verdict import Verdict

if TYPE_CHECKING:
    from rackwright.model.design import Design
    from rackwright.spec import LoadedSite

SCHEMA = "rackwright.judgement/1"
JUDGEMENT_FILE = "judgement.json"
COMPARED = {
    "site_sha256": "the site file",
    "design_sha256": "the design",
    "limits_sha256": "the limits",
    "site_folder_sha256": "the folder of the site",
    "checks_sha256": "the checks",
    "collectors_sha256": "the collectors",
    "catalogues_sha256": "the catalogues of error codes",
}


@dataclass(frozen=True)
class EvidenceSource:
    """Which stored evidence was judged."""

    run: str
    """The one run; empty for the newest readings of all `heads`."""
    as_of: str
    """ISO time from which the age of readings counted; empty if it did not count."""
    heads: Mapping[str, str]
    """Last hash of the chain of every run that was read."""


def all_runs(store: collect.Store) -> EvidenceSource:
    """The newest readings of all runs, however old."""
    return EvidenceSource("", "", {run: store.head(run) for run in store.runs()})


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
    store = collect.Store(job.workspace.folder("evidence"))
    evidence = source or all_runs(store)
    basis = judge.basis(
        job.design, attest.digest(job.path.read_bytes()), judge.load_limits(roots=job.design.roots), evidence.heads
    )
    extra = {
        "run": job.run,
        "created": created,
        "rehearsal": job.rehearsal is not None,
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


def sign_bundle(
    loaded: LoadedSite,
    design: Design,
    report: Path,
    store: collect.Store,
    key: attest.SigningKey,
    out: Path,
    *,
    copied: bool = True,
) -> Path:
    """Write the bundle of the last judgement, whose report is in `report`, into the folder of bundles `out`; returns the bundle.

    Without `copied` the evidence stays where it is, and the bundle names it by the heads of its chains.
    Raises ProblemsError for changes since the judgement, and UsageError if nothing was judged.
    """
    judged = read_judgement(report / JUDGEMENT_FILE)
    heads = judged["basis"]["evidence"]
    limits = judge.load_limits(roots=design.roots)
    current = judge.basis(design, attest.digest(loaded.path.read_bytes()), limits, heads)
    problems = [*_stale(judged, current, report), *evidence_problems(store, heads)]
    if problems:
        raise ProblemsError(problems)
    files = {
        **_site(loaded),
        **_policy(),
        **_isolation(report.parent),
        **(_evidence(store, heads) if copied else {}),
        **_report(report),
    }
    day = datetime.fromisoformat(judged["created"]).date()
    calibrations = judge.calibrations(judge.in_force(design, limits, day))
    facts = {**_facts(judged, loaded), "calibrations": calibrations}
    return attest.write_bundle(out, files, attest.HandoverFacts.model_validate_json(json.dumps(facts)), key)


def _facts(judged: Mapping[str, Any], loaded: LoadedSite) -> dict[str, Any]:
    accepted = [decision["node"] for decision in judged["decisions"] if decision["accepted"]]
    refused = [decision["node"] for decision in judged["decisions"] if not decision["accepted"]]
    return {
        **{name: judged[name] for name in ("basis", "created", "run", "rehearsal", "verdicts_sha256", "waivers")},
        "site": loaded.site.site,
        "gate": loaded.site.acceptance.gates,
        "gates_sha256": attest.digest(content.folder("validators", "gates.yaml").read_bytes()),
        "accepted": accepted,
        "refused": refused,
        "signed_with": __version__,
    }


def _stale(judged: Mapping[str, Any], current: Mapping[str, Any], report: Path) -> Iterator[Problem]:
    for name, subject in COMPARED.items():
        if judged["basis"].get(name, "") != current.get(name, ""):
            yield _problem(
                str(report / JUDGEMENT_FILE), f"{subject} changed since the judgement", "run `rackwright gate` again"
            )
    report_data = json.loads((report / "report.json").read_text(encoding="utf-8"))
    if report_data["run"]["id"] != judged["run"]:
        yield _problem(str(report), "report and judgement are of different runs", "run `rackwright gate` again")


def evidence_problems(store: collect.Store, heads: Mapping[str, str]) -> Iterator[Problem]:
    """Runs of `heads` that are missing or changed, that end differently than when they were judged, and gaps between them."""
    stored = set(store.runs())
    for run, head in heads.items():
        if run not in stored:
            yield _problem(
                str(store.path(run)), "this run of the evidence is missing", "name its store with --evidence"
            )
            continue
        problems = verify_run(store, run)
        yield from problems
        if not problems and store.head(run) != head:
            yield _problem(
                str(store.path(run)),
                "the evidence is not the one that was judged",
                "run `rackwright gate` again, or name its store with --evidence",
            )
    if stored.issuperset(heads):
        yield from unlinked(store, sorted(heads))


def _site(loaded: LoadedSite) -> dict[str, Path]:
    files = {"site/site.yaml": loaded.path}
    waivers = loaded.site.acceptance.waivers
    if waivers:
        name = PurePosixPath(waivers)
        if name.is_absolute() or ".." in name.parts:
            raise UsageError(
                f"acceptance.waivers is {waivers}: it must lie beside the site file to be handed over with it"
            )
        files[f"site/{name}"] = loaded.path.parent / waivers
    site_files = content.site_files(loaded.catalog.roots)
    return {**files, **{f"site/{loaded.site.site_folder}/{name}": path for name, path in site_files.items()}}


def _policy() -> dict[str, Path]:
    limits = sorted(content.folder("validators", "limits").glob("*.yaml"))
    return {
        "policy/gates.yaml": content.folder("validators", "gates.yaml"),
        **{f"policy/limits/{path.name}": path for path in limits},
        **{f"policy/xid/{path.name}": path for path in sorted(content.folder("validators", "xid").glob("*.yaml"))},
    }


def _isolation(workspace: Path) -> dict[str, Path]:
    """Isolation results, which the gate uses."""
    return {f"isolation/{path.name}": path for path in sorted((workspace / "isolation").glob("*.json"))}


def _evidence(store: collect.Store, heads: Mapping[str, str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for run in heads:
        files[f"evidence/runs/{run}.jsonl"] = store.path(run)
        for entry in store.index(run).entries:
            for name in objects(entry):
                part = f"objects/{name[:2]}/{name}.gz"
                files[f"evidence/{part}"] = store.folder / part
    return files


def _report(report: Path) -> dict[str, Path]:
    return {f"report/{path.name}": path for path in sorted(report.iterdir()) if path.is_file() and path.name[0] != "."}


def _problem(place: str, message: str, step: str) -> Problem:
    return Problem(place, "", message, "what was judged", "something else", step, "attest.stale")
