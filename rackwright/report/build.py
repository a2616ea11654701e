"""From a handover to the report as data. Pure: the same handover and check texts always give the same report.

What is drawn is in `site`,
what is said of each node in `nodes`; here the parts are put together and the result is put into words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rackwright.model.handover import Handover
from rackwright.model.verdict import Verdict
from rackwright.report import cabling, checktext, isolation, nodes, site, summary, view
from rackwright.report.drawing_data import pictures
from rackwright.report.view import Status

Texts = Callable[[str], str]
"""From a check id to its Markdown, empty when there is none."""


def report(handover: Handover, texts: Texts) -> view.Report:
    """The whole report of `handover`."""
    status = nodes.status(handover)
    covered = nodes.nodes(handover, status)
    racks = site.racks(handover.design, status)
    wrong = cabling.wrong(handover.design, handover.seen_links)
    judged = [verdict for verdict in handover.verdicts if verdict.target in status]
    return view.Report(
        schema_version=view.SCHEMA,
        run=_run(handover),
        result=_result(handover, covered),
        totals=handover.design.totals,
        racks=racks,
        racks_left_out=handover.design.racks.height - len(racks),
        fabrics=site.fabrics(handover.design, status, racks, wrong),
        checks=_checks(covered, texts),
        nodes=covered,
        elsewhere=[_rule(verdict) for verdict in handover.verdicts if verdict.target not in status],
        design_rules=[_rule(verdict) for verdict in handover.design_verdicts],
        steps=[
            view.Step(step=s.step, outcome=s.outcome, seconds=float(s.seconds), detail=s.detail) for s in handover.steps
        ],
        jobs=list(handover.jobs),
        not_tested=list(handover.not_tested),
        evidence=_evidence(judged),
        rehearsal=_rehearsal(handover.rehearsal),
        summary=summary.summary(handover, covered),
        gates=summary.gates(handover),
        waivers=summary.waivers(handover),
        isolation=isolation.cards(handover.isolations),
        design=pictures.pictures(handover.design, frozenset(node.rack for node in covered)),
    )


def _run(handover: Handover) -> view.Run:
    asked = handover.design.site
    return view.Run(
        id=handover.run_id,
        created=handover.created,
        version=handover.version,
        site=asked.site,
        region=asked.region,
    )


def _result(handover: Handover, covered: Sequence[view.Node]) -> view.Result:
    candidates = [node for node in covered if node.role == "accelerator" or node.status is not Status.UNDECIDED]
    counts = {status: sum(node.status is status for node in candidates) for status in Status}
    designed = int((handover.design.node_table["role"] == "accelerator").sum())
    return view.Result(
        headline=_headline(counts[Status.ACCEPTED], len(candidates), rehearsal=handover.rehearsal is not None),
        sentences=[*_sentences(candidates, counts, designed), *_whole(handover)],
        accepted=counts[Status.ACCEPTED],
        refused=counts[Status.REFUSED],
        undecided=counts[Status.UNDECIDED],
        covered=len(candidates),
        designed=designed,
    )


def _headline(accepted: int, covered: int, *, rehearsal: bool) -> str:
    verb = "would be" if rehearsal else ("is" if accepted == 1 else "are")
    if accepted == 0:
        return f"None of the {_count(covered, 'node')} covered {'would be' if rehearsal else 'is'} handed over."
    if accepted == covered:
        return (
            f"All {_count(covered, 'node')} covered {verb} handed over."
            if covered > 1
            else (f"The one node covered {verb} handed over.")
        )
    return f"{accepted} of {_count(covered, 'node')} {verb} handed over."


def _sentences(candidates: Sequence[view.Node], counts: dict[Status, int], designed: int) -> list[str]:
    said: list[str] = []
    if counts[Status.REFUSED]:
        said.append(
            f"{_count(counts[Status.REFUSED], 'node')} refused; each stays out of service for the reason below."
        )
    if counts[Status.UNDECIDED]:
        said.append(f"{_count(counts[Status.UNDECIDED], 'node')} without a decision of the gate; not handed over.")
    left = designed - sum(node.role == "accelerator" for node in candidates)
    if left > 0:
        said.append(
            f"The site is designed for {_count(designed, 'accelerator node')}; this run did not cover {left} of them,"
            " and says nothing about those."
        )
    return said


def _whole(handover: Handover) -> list[str]:
    """Whether the site is handed over as a whole: single nodes may serve before it is."""
    return [
        f"As a whole, {one.group} is {'open at' if one.open else 'not handed over yet by'} the gate {one.gate}: {one.reason}."
        for one in handover.groups
        if one.scope == "site"
    ]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _checks(covered: Sequence[view.Node], texts: Texts) -> list[view.CheckText]:
    titles = {verdict.check: verdict.title for node in covered for verdict in node.verdicts}
    found = []
    for check in sorted(titles):
        text = texts(check)
        found.append(
            view.CheckText(
                id=check,
                domain=check.rpartition(".")[0],
                title=titles[check],
                text=text,
                next_step=checktext.next_step(text),
            )
        )
    return found


def _rule(verdict: Verdict) -> view.Rule:
    return view.Rule.model_validate(verdict.model_dump(include=set(view.Rule.model_fields)))


def _evidence(verdicts: Sequence[Verdict]) -> list[view.Evidence]:
    read_by: dict[str, tuple[set[str], set[str]]] = {}
    for verdict in verdicts:
        for digest in verdict.evidence:
            targets, checks = read_by.setdefault(digest, (set(), set()))
            targets.add(verdict.target)
            checks.add(verdict.check)
    items = [view.Evidence(sha256=d, nodes=sorted(t), checks=sorted(c)) for d, (t, c) in read_by.items()]
    return sorted(items, key=lambda item: (item.nodes, item.checks, item.sha256))


def _rehearsal(told: dict[str, Any] | None) -> view.Rehearsal | None:
    """Accepts words or records for faults; a record is told by its values, in order."""
    if told is None:
        return None
    matched = told.get("as_injected")
    return view.Rehearsal(
        injected=[_words(fault) for fault in told.get("injected", [])],
        found=[_words(fault) for fault in told.get("found", [])],
        sentences=[str(sentence) for sentence in told.get("sentences", [])],
        as_injected=None if matched is None else bool(matched),
    )


def _words(fault: Any) -> str:
    if isinstance(fault, dict):
        return ": ".join(
            ", ".join(map(str, value)) if isinstance(value, list) else str(value) for value in fault.values()
        )
    return str(fault)
