"""Signs the last judgement of a site, with everything that it is based on, as one bundle.

It is derived again first: changes since the judgement, and claims that do not follow from the evidence, are reported
and not signed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from rackwright import __version__, attest, collect, judge
from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.collect.store.verify import objects
from rackwright.flow import decision, repeat_judgement, sealed_heads, sealed_history
from rackwright.flow.evidence_source import evidence_problems, stale, twins
from rackwright.flow.judgement_basis import SUBJECTS, judgement_basis
from rackwright.flow.judgement_file import JUDGEMENT_FILE, StoredJudgement, verdict_bytes
from rackwright.judge.basis import CATALOGUES
from rackwright.ledger import Ledger, SealedHead
from rackwright.spec import assembly

if TYPE_CHECKING:
    from rackwright.model.design import Design
    from rackwright.spec import LoadedSite

GATE_AGAIN = "run `rackwright gate` again"


@dataclass(frozen=True)
class LastJudgement:
    """The judgement to sign, and its origin."""

    content: StoredJudgement
    report: Path
    """The folder of its report."""
    ledger: Ledger
    store: collect.Store


def sign_bundle(
    loaded: LoadedSite,
    design: Design,
    last: LastJudgement,
    signer: attest.Signer,
    out: Path,
    *,
    copied: bool = True,
) -> Path:
    """Write the bundle of the last judgement into the folder of bundles `out`; returns the path of the bundle.

    Without `copied` the evidence is not copied, and the bundle names it by the heads of its chains. Raises
    ProblemsError for changes since the judgement.
    """
    judged, store, path = last.content, last.store, last.report / JUDGEMENT_FILE
    heads, limits = judged.basis.evidence, judge.load_limits(roots=design.roots)
    sealed = sealed_history.read_history(store, store.runs(), last.report.parent)
    current = judgement_basis(design, loaded.path, sealed, limits, heads)
    problems = [
        *_stale(judged, current, str(path)), *evidence_problems(store, heads),
        *_changed_ledger(last, str(path)), *_from_a_twin(judged, str(path), store), *_other_history(judged, last.ledger, str(path)), *repeat_judgement.unknown_machines(judged, design, str(path)),
    ]  # fmt: skip
    if problems:
        raise ProblemsError(problems)
    inputs = repeat_judgement.Inputs(design, limits, decision.load_waivers(design, loaded.path), sealed, store)
    repeated = repeat_judgement.repeat(judged, inputs)
    if problems := repeat_judgement.differences(judged, repeated, last.report):
        raise ProblemsError(problems)
    if problems := [*_unapproved_waivers(judged, repeated, loaded)]:
        raise ProblemsError(problems)
    files: dict[str, bytes | Path] = {
        **_site(loaded),
        **_policy(),
        **(_evidence(store, heads) if copied else {}),
        **{f"report/{name}": page for name, page in repeated.pages.items()},
        f"report/{JUDGEMENT_FILE}": path,
    }
    facts = _facts(
        judged, repeated, loaded, judge.calibrations(judge.in_force(design, limits, judged.decided_at.date()))
    )
    return attest.write_bundle(out, files, facts, signer)


def _facts(
    judged: StoredJudgement,
    repeated: repeat_judgement.Repetition,
    loaded: LoadedSite,
    calibrations: list[dict[str, Any]],
) -> attest.HandoverFacts:
    decisions = repeated.decision.nodes
    return attest.HandoverFacts(
        site=loaded.site.site,
        run=judged.record.run,
        created=judged.created,
        rehearsal=judged.rehearsal,
        basis=judged.basis,
        verdicts_sha256=attest.digest(verdict_bytes(repeated.verdicts)),
        gate=loaded.site.acceptance.gates,
        accepted=[decision.node for decision in decisions if decision.accepted],
        refused=[decision.node for decision in decisions if not decision.accepted],
        waivers=list(repeated.waivers),
        calibrations=calibrations,
        ledger=judged.ledger,
        signed_with=__version__,
    )


def _stale(judged: StoredJudgement, current: Mapping[str, Any], place: str) -> Iterator[Problem]:
    for name, subject in SUBJECTS.items():
        if getattr(judged.basis, name, "") != current.get(name, ""):
            yield stale(place, f"{subject} changed since the judgement", GATE_AGAIN)


def _other_history(judged: StoredJudgement, ledger: Ledger, place: str) -> Iterator[Problem]:
    """Problems of events of parts up to the judgement that only the ledger or only the judgement has."""
    before = [event for event in ledger.part_events(judged.record.run) if event.time <= judged.decided_at]
    for says in repeat_judgement.history_differences(judged.record.history, before, "the ledger"):
        yield stale(place, says, GATE_AGAIN)


def _changed_ledger(last: LastJudgement, place: str) -> Iterator[Problem]:
    """Problems of changed rows of the ledger, and of an end that was cut off since the judgement."""
    sealed = [SealedHead(place, last.content.ledger)]
    if (
        last.store.folder.resolve() == (last.report.parent / "evidence").resolve()
    ):  # another one may come from another ledger
        sealed += sealed_heads.of_evidence(last.store, set(last.store.runs()) & set(last.content.basis.evidence))
    yield from last.ledger.audit(sealed).problems


def _from_a_twin(judged: StoredJudgement, place: str, store: collect.Store) -> Iterator[Problem]:
    """Problems of the judgement of a rehearsal that claims to be a real one."""
    runs = set(store.runs()) & set(judged.basis.evidence)
    for twin in [] if judged.rehearsal else twins(store, runs):
        yield Problem(
            place, "rehearsal", f"the evidence comes from the twin {twin}", "true", "false",
            f"collect evidence from the machines, and {GATE_AGAIN}", "attest.twin",
        )  # fmt: skip


def _unapproved_waivers(
    judged: StoredJudgement, repeated: repeat_judgement.Repetition, loaded: LoadedSite
) -> Iterator[Problem]:
    """Problems of waivers in a real handover of a site that names no approvers."""
    if judged.rehearsal or loaded.site.acceptance.approvers:
        return
    used = {decision.node: decision.waived for decision in repeated.decision.nodes}
    for waiver in repeated.waivers:
        over = waiver.last_day < judged.decided_at.date()
        if not over and waiver.check in used.get(
            waiver.node, [waiver.check]
        ):  # decisions do not list the waivers of plant
            yield Problem(
                str(loaded.path), "acceptance.approvers",
                f"the handover rests on the waiver of {waiver.check} on {waiver.node}, and the site names nobody who may waive",
                "the persons who may waive, by name", "nobody", f"declare them (waived by {waiver.by}), and {GATE_AGAIN}", "attest.unapproved",
            )  # fmt: skip


def _site(loaded: LoadedSite) -> dict[str, Path]:
    parts = assembly.files(loaded.site, loaded.path)
    files = {f"site/{name}": path for name, path in parts.items()}
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
        **{
            f"policy/{name}/{path.name}": path
            for name in CATALOGUES
            for path in sorted(content.folder("validators", name).glob("*.yaml"))
        },
    }


def _evidence(store: collect.Store, heads: Mapping[str, str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for run in heads:
        files[f"evidence/runs/{run}.jsonl"] = store.path(run)
        for entry in store.index(run).entries:
            for name in objects(entry):
                part = f"objects/{name[:2]}/{name}.gz"
                files[f"evidence/{part}"] = store.folder / part
    return files
