"""Repeats the judgement of a bundle from the evidence in it.

Site, evidence and limits come from the bundle; checks and collectors are those of this rackwright, because a bundle is not
run. When they are not the ones that judged, that is told as well: the reader decides what a difference then means.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from rackwright import attest, collect, design, judge, spec
from rackwright.base.errors import Problem
from rackwright.flow import signed_bundle
from rackwright.judge.basis import folder_sha256
from rackwright.model.check import NodeEvidence

CODE = {"checks": "checks", "collectors": "collectors", "xid": "catalogues"}
"""Content that is not taken from a bundle -> its name in the basis."""
MOST = 20
"""Differences that are told one by one."""


def differences(bundle: Path, facts: Mapping[str, Any], evidence: Path) -> tuple[int, list[Problem]]:
    """How many verdicts were judged again from the store `evidence`, and what is not as it was signed.

    Raises what reading site and evidence raises.
    """
    said = signed_bundle.read_judgement(bundle / "report" / signed_bundle.JUDGEMENT_FILE)
    loaded = spec.load(bundle / "site" / "site.yaml")
    plan = design.expand(loaded.site, loaded.catalog)
    limits = judge.load_limits(sorted((bundle / "policy" / "limits").glob("*.yaml")))
    seen = _seen(collect.Store(evidence), said["evidence"], partial(judge.oldest_counting, plan.site, limits))
    found = judge.judge_evidence(plan, seen, judge.load_checks(), limits, said["nodes"])
    same = attest.digest(signed_bundle.verdict_bytes(found)) == facts["verdicts_sha256"]
    old = [json.dumps(one, sort_keys=True) for one in said["verdicts"]]
    new = [json.dumps(one.model_dump(mode="json"), sort_keys=True) for one in found]
    return len(found), [] if same else [*_code(bundle, facts), *_differing(bundle, old, new)]


def _seen(
    store: collect.Store, said: Mapping[str, Any], oldest: Callable[[datetime], datetime]
) -> dict[str, NodeEvidence]:
    """The evidence that was looked at: one run, or the newest readings of all of them."""
    if said["run"]:
        seen = collect.load(store, said["run"])
    else:
        seen = collect.load_merged(
            store, oldest=oldest(datetime.fromisoformat(said["as_of"])) if said["as_of"] else None
        )
    return {name: one for name, one in seen.items() if name in said["machines"]}


def _code(bundle: Path, facts: Mapping[str, Any]) -> Iterator[Problem]:
    for folder, name in CODE.items():
        if facts["basis"].get(f"{name}_sha256") != folder_sha256(folder):
            says = f"the {name} of this rackwright are not the ones that judged ({facts['basis']['rackwright']})"
            yield _problem(bundle, says, "use that version to repeat its judgement")


def _differing(bundle: Path, old: list[str], new: list[str]) -> Iterator[Problem]:
    before = {(one["target"], one["check"]): one for one in map(json.loads, old)}
    after = {(one["target"], one["check"]): one for one in map(json.loads, new)}
    told = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    for node, check in told[:MOST]:
        was, now = before.get((node, check)), after.get((node, check))
        says = f"{check} on {node} was {was['outcome'] if was else 'not judged'}"
        yield _problem(
            bundle, f"{says}, judged again it is {now['outcome'] if now else 'not judged'}", "compare the two"
        )
    if len(told) > MOST or not told:
        count = len(told) - MOST
        says = f"{count} more verdicts differ" if told else "the verdicts are in another order, or have another hash"
        yield _problem(bundle, says, "compare report/judgement.json with `rackwright judge`")


def _problem(bundle: Path, message: str, step: str) -> Problem:
    return Problem(str(bundle), "", message, "the verdicts that were signed", "others", step, "attest.rejudged")
