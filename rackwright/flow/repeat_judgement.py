"""Repeats the judgement of a bundle from the evidence in it.

Site, evidence and limits come from the bundle; checks and collectors come from the installed rackwright, because code in a
bundle is never run: what a site brought itself comes from a copy that the reader trusts, and that has the hash which was signed.
If they differ from those that judged, a problem says so: the reader decides what a difference means.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from rackwright import attest, collect, design, judge, spec
from rackwright.base import content
from rackwright.base.errors import Problem, UsageError
from rackwright.flow import judgement_file
from rackwright.flow.judgement_basis import SUBJECTS, package_sha256
from rackwright.judge.basis import folder_sha256
from rackwright.model.check import NodeEvidence

MOST = 20
"""Differences that are listed individually."""


def differences(
    bundle: Path, facts: attest.HandoverFacts, evidence: Path, beside: Path | None = None
) -> tuple[int, list[Problem]]:
    """The number of verdicts judged again from the store `evidence`, and the differences from the signed ones.

    `beside` is a trusted folder that holds the site's own folder; needed when the site has one.
    Raises what loading the site and the evidence raises, and UsageError for another folder than the one that was signed.
    """
    judged = judgement_file.read_judgement(bundle / "report" / judgement_file.JUDGEMENT_FILE)
    loaded = spec.load(bundle / "site" / "site.yaml", beside)
    _refuse_other_folder(loaded.catalog.roots, facts.basis.site_folder_sha256, beside)
    expanded = design.expand(loaded.site, loaded.catalog)
    limits = judge.load_limits(sorted((bundle / "policy" / "limits").glob("*.yaml")), roots=expanded.roots)
    oldest, library = partial(judge.oldest_counting, expanded.site, limits), collect.library(expanded.roots)
    evidence_by_node = _judged_evidence(collect.Store(evidence), judged["evidence"], oldest, library)
    checks = judge.load_checks(expanded.roots)
    verdicts = judge.judge_evidence(expanded, evidence_by_node, checks, limits, judged["nodes"])
    same = attest.digest(judgement_file.verdict_bytes(verdicts)) == facts.verdicts_sha256
    old = [json.dumps(verdict, sort_keys=True) for verdict in judged["verdicts"]]
    new = [json.dumps(verdict.model_dump(mode="json"), sort_keys=True) for verdict in verdicts]
    return len(verdicts), [] if same else [*_code(bundle, facts, expanded.roots), *_differing(bundle, old, new)]


def _refuse_other_folder(roots: content.Roots, signed: str, beside: Path | None) -> None:
    if not signed:
        return
    if beside is None:
        raise UsageError(
            "the site brought checks of its own, and code in a bundle is never run: name a trusted copy of the site with --site"
        )
    if content.sha256_of(content.site_files(roots).items()) != signed:
        raise UsageError(f"--site {beside}: its folder is not the one that was signed; name the copy of that day")


def _judged_evidence(
    store: collect.Store,
    judged: Mapping[str, Any],
    oldest: Callable[[datetime], datetime],
    library: collect.Collectors,
) -> dict[str, NodeEvidence]:
    """The evidence that was judged: one run, or the newest readings of all runs."""
    if judged["run"]:
        evidence_by_node = collect.load(store, judged["run"], library)
    else:
        evidence_by_node = collect.load_merged(
            store,
            oldest=oldest(datetime.fromisoformat(judged["as_of"])) if judged["as_of"] else None,
            collectors=library,
        )
    return {name: evidence for name, evidence in evidence_by_node.items() if name in judged["machines"]}


def _code(bundle: Path, facts: attest.HandoverFacts, roots: content.Roots) -> Iterator[Problem]:
    """What is not taken from a bundle, and is installed otherwise than where it was judged."""
    installed = {
        "checks_sha256": folder_sha256("checks", roots),
        "collectors_sha256": folder_sha256("collectors", roots),
        "catalogues_sha256": folder_sha256("xid"),
        "package_sha256": package_sha256(),
    }
    for name, sha256 in installed.items():
        if getattr(facts.basis, name, "") != sha256:
            says = f"{SUBJECTS[name]} here: not what judged ({facts.basis.rackwright})"
            yield _problem(bundle, says, "use that version to repeat its judgement")


def _differing(bundle: Path, old: list[str], new: list[str]) -> Iterator[Problem]:
    before = {(verdict["target"], verdict["check"]): verdict for verdict in map(json.loads, old)}
    after = {(verdict["target"], verdict["check"]): verdict for verdict in map(json.loads, new)}
    changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    for node, check in changed[:MOST]:
        was, now = before.get((node, check)), after.get((node, check))
        says = f"{check} on {node} was {was['outcome'] if was else 'not judged'}"
        yield _problem(
            bundle, f"{says}, judged again it is {now['outcome'] if now else 'not judged'}", "compare the two"
        )
    if len(changed) > MOST or not changed:
        count = len(changed) - MOST
        says = f"{count} more verdicts differ" if changed else "the verdicts are in another order, or have another hash"
        yield _problem(bundle, says, "compare report/judgement.json with `rackwright judge`")


def _problem(bundle: Path, message: str, step: str) -> Problem:
    return Problem(str(bundle), "", message, "the verdicts that were signed", "others", step, "attest.rejudged")
