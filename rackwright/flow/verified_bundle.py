"""Repeats the judgement of a bundle from its inputs, and compares it with the signed one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rackwright import attest, collect, design, judge, spec
from rackwright.base import content
from rackwright.base.errors import Problem, UsageError
from rackwright.flow import decision, repeat_judgement, sealed_history
from rackwright.flow.judgement_file import JUDGEMENT_FILE, StoredJudgement, read_judgement


def differences(
    bundle: Path, facts: attest.HandoverFacts, evidence: Path, beside: Path | None = None
) -> tuple[int, list[Problem]]:
    """The number of verdicts judged again from the store `evidence`, and problems of everything signed that does not
    follow from the bundle.

    `beside` is a trusted folder with the content of the site; required if the site has any. Raises what loading the
    site and the evidence raises, and UsageError for another folder than the one that was signed.
    """
    path = bundle / "report" / JUDGEMENT_FILE
    judged = read_judgement(path)
    loaded = spec.load(bundle / "site" / "site.yaml", beside)
    _refuse_other_folder(loaded.catalog.roots, facts.basis.site_folder_sha256, beside)
    expanded = design.expand(loaded.site, loaded.catalog)
    limits = judge.load_limits(sorted((bundle / "policy" / "limits").glob("*.yaml")), roots=expanded.roots)
    if problems := repeat_judgement.unknown_machines(judged, expanded, str(path)):
        return 0, problems
    waivers = decision.load_waivers(expanded, bundle / "site" / "site.yaml")
    store = collect.Store(evidence)
    sealed = sealed_history.read_history(store, sorted(judged.basis.evidence))
    inputs = repeat_judgement.Inputs(expanded, limits, waivers, sealed, store)
    repeated = repeat_judgement.repeat(judged, inputs)
    problems = repeat_judgement.differences(judged, repeated, bundle / "report")
    problems += [
        Problem(str(bundle), name, "the statement says something else", str(follows)[:200], str(signed)[:200],
                "do not rely on it: ask whoever signed it", "attest.underivable")
        for name, signed, follows in _facts(facts, judged, repeated)
        if signed != follows
    ]  # fmt: skip
    if problems:
        problems = [*repeat_judgement.program_differences(facts.basis, expanded.roots, str(bundle)), *problems]
    return len(repeated.verdicts), problems


def _facts(
    facts: attest.HandoverFacts, judged: StoredJudgement, repeated: repeat_judgement.Repetition
) -> Iterator[tuple[str, object, object]]:
    """Name, signed value and value that follows from the bundle."""
    decisions = repeated.decision.nodes
    yield "accepted", facts.accepted, [record.node for record in decisions if record.accepted]
    yield "refused", facts.refused, [record.node for record in decisions if not record.accepted]
    yield "waivers", facts.waivers, list(repeated.waivers)
    yield "run", facts.run, judged.record.run
    yield "created", facts.created, judged.created
    yield "rehearsal", facts.rehearsal, judged.rehearsal
    yield "ledger", facts.ledger, judged.ledger
    yield "basis", facts.basis, judged.basis
    for name, sha256 in repeated.sealed.hashes().items():
        yield name, getattr(facts.basis, name, ""), sha256


def _refuse_other_folder(roots: content.Roots, signed: str, beside: Path | None) -> None:
    if not signed:
        return
    if beside is None:
        raise UsageError(
            "the site brought checks of its own, and code in a bundle is never run: name a trusted copy of the site with --site"
        )
    if content.sha256_of(content.site_files(roots).items()) != signed:
        raise UsageError(f"--site {beside}: its folder is not the one that was signed; name the copy of that day")
