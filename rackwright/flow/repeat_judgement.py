"""Judges and decides again from stored evidence, compares the result with a judgement, and renders its report again.

Site, evidence, limits, waivers and results of isolation are those of the judgement; checks, collectors, gates and the
program are the installed ones, because code in a bundle is never run. If they differ from those that judged, a problem
reports that: the reader decides what a difference means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from rackwright import collect, gate, judge, report
from rackwright.attest.facts import Basis
from rackwright.base import content
from rackwright.base.errors import Problem
from rackwright.flow.decision import GateDecision, GateRecord, decide
from rackwright.flow.evidence_extract import gate_extract
from rackwright.flow.handover_data import handover_of
from rackwright.flow.judgement_basis import SUBJECTS, gates_sha256, package_sha256
from rackwright.flow.judgement_file import JUDGEMENT_FILE, StoredJudgement
from rackwright.flow.sealed_history import REPAIRED, SealedHistory, event_key
from rackwright.judge.basis import catalogues_sha256, folder_sha256
from rackwright.judge.limits import LimitTable
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.gate import Decision, GroupDecision, Waiver
from rackwright.model.repair import PartEvent
from rackwright.model.times import parse_time
from rackwright.model.verdict import Verdict

MOST = 20
"""Differences of one kind that are listed individually."""


@dataclass(frozen=True)
class Inputs:
    """Input of the repetition, besides the record of the judgement."""

    design: Design
    limits: LimitTable
    waivers: Sequence[Waiver]
    sealed: SealedHistory
    store: collect.Store


@dataclass(frozen=True)
class Repetition:
    """Results that follow from the inputs."""

    verdicts: Sequence[Verdict]
    decision: GateDecision
    waivers: Sequence[Waiver]
    history: Sequence[PartEvent]
    """Events of parts: those that the gate knew, and those that its decision adds."""
    pages: Mapping[str, bytes]
    """The files of the report, by name."""
    sealed: SealedHistory


def repeat(judged: StoredJudgement, inputs: Inputs) -> Repetition:
    """Judge, decide and render again. Raises what reading the evidence raises."""
    design, checks = inputs.design, judge.load_checks(inputs.design.roots)
    evidence = _judged_evidence(judged, inputs)
    verdicts = judge.judge_evidence(design, evidence, checks, inputs.limits, judged.record.nodes)
    accelerators = {node.name for node in design.nodes("accelerator")}
    record = GateRecord(
        nodes=tuple(name for name in judged.record.nodes if name in accelerators),
        now=judged.decided_at,
        waivers=inputs.waivers,
        part_events=judged.part_events,
        sealed=inputs.sealed,
    )
    extract = gate_extract(design, checks, evidence.values(), record.nodes)
    decision = decide(design, inputs.limits, record, extract, verdicts)
    pages = report.render_report(handover_of(design, evidence, verdicts, decision, record, judged.record))
    added = gate.repair_events(verdicts, decision.nodes, decision.repairs, extract.collected)
    return Repetition(verdicts, decision, inputs.waivers, [*judged.part_events, *added], pages, inputs.sealed)


def _judged_evidence(judged: StoredJudgement, inputs: Inputs) -> dict[str, NodeEvidence]:
    """The evidence that was judged: one run, or the newest readings of all runs."""
    source, library = judged.evidence, collect.library(inputs.design.roots)
    oldest = partial(judge.oldest_counting, inputs.design.site, inputs.limits)
    if source.run:
        evidence = collect.load(inputs.store, source.run, library)
    else:
        since = oldest(parse_time(source.as_of)) if source.as_of else None
        evidence = collect.load_merged(inputs.store, oldest=since, collectors=library)
    return {name: of_node for name, of_node in evidence.items() if name in source.machines}


def unknown_machines(judged: StoredJudgement, design: Design, place: str) -> list[Problem]:
    """Problems of machines in the judgement that the site does not have."""
    names = {node.name for node in design.nodes()} | judge.plant_names(design)
    claimed = {*judged.record.nodes, *(decision.node for decision in judged.decisions)}
    return [_problem(place, f"{name} is no machine of the site") for name in sorted(claimed - names)]


def differences(judged: StoredJudgement, repeated: Repetition, folder: Path) -> list[Problem]:
    """Problems of claims in the judgement, and of files in the report in `folder`, that do not follow from the inputs."""
    claims = (
        _verdict_differences(judged.verdicts, repeated.verdicts),
        _decision_differences(judged.decisions, repeated.decision.nodes),
        _group_differences(judged.groups, repeated.decision.groups),
        _waiver_differences(judged.waivers, repeated.waivers),
        history_differences(judged.record.history, repeated.history, "what the gate knew and adds"),
        _repair_differences(judged.part_events, repeated.sealed.repairs),
    )
    problems = [_problem(str(folder / JUDGEMENT_FILE), says) for claim in claims for says in islice(claim, MOST)]
    for name, text in repeated.pages.items():
        if not (folder / name).is_file() or (folder / name).read_bytes() != text:
            problems.append(_problem(str(folder / name), "the page is not the one of this judgement"))
    written = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    added = sorted(written - {*repeated.pages, JUDGEMENT_FILE})
    return [*problems, *(_problem(str(folder / name), "the gate did not write this file") for name in added)]


def program_differences(basis: Basis, roots: content.Roots, place: str) -> list[Problem]:
    """Problems of content that is not taken from a bundle, and whose installed version differs from the one that
    judged.
    """
    installed = {
        "checks_sha256": folder_sha256("checks", roots),
        "collectors_sha256": folder_sha256("collectors", roots),
        "catalogues_sha256": catalogues_sha256(),
        "gates_sha256": gates_sha256(),
        "package_sha256": package_sha256(),
    }
    return [
        _problem(place, f"{SUBJECTS[name]}: this rackwright has others than the one that judged ({basis.rackwright})")
        for name, sha256 in installed.items()
        if getattr(basis, name, "") != sha256
    ]


def _verdict_differences(before: Sequence[Verdict], after: Sequence[Verdict]) -> Iterator[str]:
    was, now = ({(verdict.target, verdict.check): verdict for verdict in verdicts} for verdicts in (before, after))
    for node, check in {**was, **now}:
        old, new = was.get((node, check)), now.get((node, check))
        if old != new:
            says = f"{check} on {node} was {old.outcome.value if old else 'not judged'}"
            yield f"{says}, judged again it is {new.outcome.value if new else 'not judged'}"
    if list(was) != list(now) or len(was) != len(before):
        yield "the verdicts are not those of the evidence, or in another order"


def _decision_differences(before: Sequence[Decision], after: Sequence[Decision]) -> Iterator[str]:
    was, now = ({decision.node: decision for decision in decisions} for decisions in (before, after))
    for node in {**was, **now}:
        if was.get(node) != now.get(node):
            yield f"{node} was {_word(was.get(node))}, decided again it is {_word(now.get(node))}"
    if len(was) != len(before):
        yield "a node is decided twice"


def _word(decision: Decision | None) -> str:
    if decision is None:
        return "not decided"
    return f"{'accepted' if decision.accepted else 'refused'} ({decision.reason.partition(': ')[2]})"


def _group_differences(before: Sequence[GroupDecision], after: Sequence[GroupDecision]) -> Iterator[str]:
    for was in before:
        if was not in after:
            yield f"gate {was.gate} of {was.scope} {was.group}: it was {'open' if was.open else 'closed'} with other numbers"
    if len(before) != len(after):
        yield f"{len(before)} decisions on groups, decided again there are {len(after)}"


def _waiver_differences(before: Sequence[Waiver], after: Sequence[Waiver]) -> Iterator[str]:
    for waiver in [*before, *after]:
        if (waiver in before) != (waiver in after):
            where = "the judgement" if waiver in before else "the waiver file"
            yield f"the waiver of {waiver.check} on {waiver.node} stands only in {where}"


def history_differences(before: Sequence[PartEvent], after: Sequence[PartEvent], source: str) -> Iterator[str]:
    """Sentences on events of parts that are only in `before`, or only in `after`, which `source` names."""
    was, now = ({event_key(event): event for event in events} for events in (before, after))
    for key, event in {**was, **now}.items():
        if (key in was) != (key in now):
            where = "the judgement" if key in was else source
            yield f"{event.place or event.node} (serial {event.serial}) {event.what} at {event.at} stands only in {where}"


def _repair_differences(before: Sequence[PartEvent], sealed: Sequence[PartEvent]) -> Iterator[str]:
    """Sentences on repairs that the gate knew and the evidence does not hold, or the reverse."""
    return history_differences([event for event in before if event.what == REPAIRED], sealed, "the evidence")


def _problem(place: str, message: str) -> Problem:
    step = "run `rackwright gate` again; in a bundle: ask whoever signed it"
    return Problem(place, "", message, "what follows from the evidence", "something else", step, "attest.underivable")
