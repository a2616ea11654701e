"""From a handover to the report as data. Pure: equal handovers and check texts always give the same report.

`site` provides the drawings, `nodes` the findings on each node; this module assembles the parts and writes the result
sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rackwright.model.handover import Handover
from rackwright.model.verdict import Verdict
from rackwright.report import cabling, checktext, isolation_cards, nodes, site, summary, view
from rackwright.report.drawing_data import pictures
from rackwright.report.view import NodeStatus

Texts = Callable[[str], str]
"""From a check id to its Markdown; empty if there is none."""


def build_report(handover: Handover, texts: Texts) -> view.Report:
    """The report of `handover`."""
    status = nodes.status(handover)
    covered = nodes.covered_nodes(handover, status)
    racks = site.racks(handover.design, status)
    wrong = cabling.wrong_cables(handover.design, handover.seen_links)
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
            view.StepLine(step=s.step, outcome=s.outcome, seconds=float(s.seconds), detail=s.detail)
            for s in handover.steps
        ],
        jobs=list(handover.jobs),
        not_tested=list(handover.not_tested),
        evidence=_evidence(judged),
        rehearsal=_rehearsal(handover.rehearsal),
        summary=summary.summary(handover, covered),
        gates=summary.gates(handover),
        waivers=summary.waivers(handover),
        isolation=isolation_cards.cards(handover.isolations),
        platform=handover.platform,
        design=pictures.pictures(handover.design, frozenset(node.rack for node in covered)),
    )


def _run(handover: Handover) -> view.ReportRun:
    site_spec = handover.design.site
    return view.ReportRun(
        id=handover.run_id,
        created=handover.created,
        version=handover.version,
        site=site_spec.site,
        region=site_spec.region,
    )


def _result(handover: Handover, covered: Sequence[view.ReportNode]) -> view.Result:
    candidates = [node for node in covered if node.role == "accelerator" or node.status is not NodeStatus.UNDECIDED]
    counts = {status: sum(node.status is status for node in candidates) for status in NodeStatus}
    designed = int((handover.design.node_table["role"] == "accelerator").sum())
    return view.Result(
        headline=_headline(counts[NodeStatus.ACCEPTED], len(candidates), rehearsal=handover.rehearsal is not None),
        sentences=[*_sentences(candidates, counts, designed), *_site_gates(handover)],
        accepted=counts[NodeStatus.ACCEPTED],
        refused=counts[NodeStatus.REFUSED],
        undecided=counts[NodeStatus.UNDECIDED],
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


def _sentences(candidates: Sequence[view.ReportNode], counts: dict[NodeStatus, int], designed: int) -> list[str]:
    sentences: list[str] = []
    if counts[NodeStatus.REFUSED]:
        sentences.append(
            f"{_count(counts[NodeStatus.REFUSED], 'node')} refused; each stays out of service for the reason below."
        )
    if counts[NodeStatus.UNDECIDED]:
        sentences.append(
            f"{_count(counts[NodeStatus.UNDECIDED], 'node')} without a decision of the gate; not handed over."
        )
    uncovered = designed - sum(node.role == "accelerator" for node in candidates)
    if uncovered > 0:
        sentences.append(
            f"The site is designed for {_count(designed, 'accelerator node')}; this run did not cover {uncovered} of them,"
            " and says nothing about those."
        )
    return sentences


def _site_gates(handover: Handover) -> list[str]:
    """Sentences on whether the gates of the whole site are open; single nodes may serve before."""
    return [
        f"As a whole, {decision.group} is {'open at' if decision.open else 'not handed over yet by'} the gate {decision.gate}: {decision.reason}."
        for decision in handover.groups
        if decision.scope == "site"
    ]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _checks(covered: Sequence[view.ReportNode], texts: Texts) -> list[view.CheckText]:
    titles = {verdict.check: verdict.title for node in covered for verdict in node.verdicts}
    texts_of_checks = []
    for check in sorted(titles):
        text = texts(check)
        texts_of_checks.append(
            view.CheckText(
                id=check,
                domain=check.rpartition(".")[0],
                title=titles[check],
                text=text,
                next_step=checktext.next_step(text),
            )
        )
    return texts_of_checks


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


def _rehearsal(rehearsal: dict[str, Any] | None) -> view.RehearsalCard | None:
    """The card of a rehearsal, None without one. A fault that is a record is printed as its values, in order."""
    if rehearsal is None:
        return None
    matched = rehearsal.get("as_injected")
    return view.RehearsalCard(
        injected=[_words(fault) for fault in rehearsal.get("injected", [])],
        found=[_words(fault) for fault in rehearsal.get("found", [])],
        sentences=[str(sentence) for sentence in rehearsal.get("sentences", [])],
        as_injected=None if matched is None else bool(matched),
    )


def _words(fault: Any) -> str:
    if isinstance(fault, dict):
        return ": ".join(
            ", ".join(map(str, value)) if isinstance(value, list) else str(value) for value in fault.values()
        )
    return str(fault)
