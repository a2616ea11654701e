"""Puts the last judgement of a site under one signature, with everything that it rests on.

What is signed is derived again first: if site file, limits, checks, evidence or report are not those of the judgement, signing is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from rackwright import __version__, attest, collect, judge
from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.base.workspace import Workspace
from rackwright.collect.store.verify import objects
from rackwright.flow import isolation_results
from rackwright.flow.evidence_source import evidence_problems, stale, twins
from rackwright.flow.judgement_basis import SUBJECTS, isolation_files, judgement_basis
from rackwright.flow.judgement_file import JUDGEMENT_FILE, read_judgement
from rackwright.report import data, files

if TYPE_CHECKING:
    from rackwright.model.design import Design
    from rackwright.spec import LoadedSite

GATE_AGAIN = "run `rackwright gate` again"


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
    current = judgement_basis(design, loaded.path, Workspace(report.parent), limits, heads)
    problems = [
        *_stale(judged, current, report),
        *evidence_problems(store, heads),
        *_from_a_twin(judged, report, store),
    ]
    if problems:
        raise ProblemsError(problems)
    signed_files: dict[str, bytes | Path] = {
        **_site(loaded),
        **_policy(),
        **_isolation(Workspace(report.parent)),
        **(_evidence(store, heads) if copied else {}),
        **_report(report, judged["run"]),
    }
    day = datetime.fromisoformat(judged["created"]).date()
    calibrations = judge.calibrations(judge.in_force(design, limits, day))
    facts = {**_facts(judged, loaded), "calibrations": calibrations}
    return attest.write_bundle(out, signed_files, attest.HandoverFacts.model_validate_json(json.dumps(facts)), key)


def _facts(judged: Mapping[str, Any], loaded: LoadedSite) -> dict[str, Any]:
    accepted = [decision["node"] for decision in judged["decisions"] if decision["accepted"]]
    refused = [decision["node"] for decision in judged["decisions"] if not decision["accepted"]]
    return {
        **{name: judged[name] for name in ("basis", "created", "run", "rehearsal", "verdicts_sha256", "waivers")},
        "site": loaded.site.site,
        "gate": loaded.site.acceptance.gates,
        "accepted": accepted,
        "refused": refused,
        "signed_with": __version__,
    }


def _stale(judged: Mapping[str, Any], current: Mapping[str, Any], report: Path) -> Iterator[Problem]:
    place = str(report / JUDGEMENT_FILE)
    for name, subject in SUBJECTS.items():
        if judged["basis"].get(name, "") != current.get(name, ""):
            yield stale(place, f"{subject} changed since the judgement", GATE_AGAIN)


def _from_a_twin(judged: Mapping[str, Any], report: Path, store: collect.Store) -> Iterator[Problem]:
    """The judgement of a rehearsal that says that it is none."""
    runs = set(store.runs()) & set(judged["basis"]["evidence"])
    for twin in [] if judged["rehearsal"] else twins(store, runs):
        yield Problem(
            str(report / JUDGEMENT_FILE), "rehearsal", f"the evidence comes from the twin {twin}", "true", "false",
            f"collect evidence from the machines, and {GATE_AGAIN}", "attest.twin",
        )  # fmt: skip


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


def _isolation(workspace: Workspace) -> dict[str, Path]:
    """Isolation results, which the gate uses. Raises ProblemsError for files that hold no result."""
    isolation_results.load_results(workspace)
    return {f"isolation/{path.name}": path for path in isolation_files(workspace)}


def _evidence(store: collect.Store, heads: Mapping[str, str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for run in heads:
        files[f"evidence/runs/{run}.jsonl"] = store.path(run)
        for entry in store.index(run).entries:
            for name in objects(entry):
                part = f"objects/{name[:2]}/{name}.gz"
                files[f"evidence/{part}"] = store.folder / part
    return files


def _report(folder: Path, run: str) -> dict[str, bytes]:
    """The pages, rendered again. Raises ProblemsError for pages that differ, files that no gate wrote, and a report of another run."""
    report = data.load_report(folder)
    rendered = files.render_files(report)
    place = str(folder)
    problems = [
        stale(f"{place}/{name}", "the page is not the one of this report", GATE_AGAIN)
        for name, text in rendered.items()
        if not (folder / name).is_file() or (folder / name).read_bytes() != text
    ]
    written = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    strangers = sorted(written - {*rendered, JUDGEMENT_FILE})
    problems += [
        stale(f"{place}/{name}", "the gate did not write this file", "move it elsewhere") for name in strangers
    ]
    if report.run.id != run:
        problems.append(stale(place, "report and judgement are of different runs", GATE_AGAIN))
    if problems:
        raise ProblemsError(problems)
    judgement = (folder / JUDGEMENT_FILE).read_bytes()
    return {f"report/{name}": text for name, text in {**rendered, JUDGEMENT_FILE: judgement}.items()}
