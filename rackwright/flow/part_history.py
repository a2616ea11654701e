"""Connects ledger and gate: the history of the parts of a run's nodes, and the events that the run adds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rackwright import compare, gate
from rackwright.flow.evidence_extract import GateExtract
from rackwright.flow.job import Job
from rackwright.gate.rejoin import ANY, COUNTED
from rackwright.model.check import Limits
from rackwright.model.gate import Decision
from rackwright.model.node_verdicts import Verdicts
from rackwright.model.repair import PartEvent, RepairRule, Retest
from rackwright.model.times import second_text


def repair_state(limits: Limits, part_events: Sequence[PartEvent], extract: GateExtract) -> gate.RepairState:
    """Parts of the nodes that the gate decides on, their history, and the policy of `limits`."""
    return gate.RepairState(
        extract.parts, part_events, repair_rules(limits), retests(limits, part_events), extract.dated
    )


def repair_rules(limits: Limits) -> list[RepairRule]:
    """The repair policy of ``validators/limits/repair.yaml``; an action without both rows has no rule."""
    rules_found = []
    for action in (ANY, *COUNTED):
        most, hours = limits.find("repair.most", action=action), limits.find("repair.window_hours", action=action)
        if most is not None and hours is not None:
            assert isinstance(most.value, int | float)
            assert isinstance(hours.value, int | float)
            source = f"{most.source}, {most.date}"
            rules_found.append(
                RepairRule(action=action, most=float(most.value), hours=float(hours.value), source=source)
            )
    return rules_found


def retests(limits: Limits, part_events: Iterable[PartEvent]) -> list[Retest]:
    """The retest policy for every kind of repair in `part_events`; kinds without a row have none."""
    policies = []
    for action, part in sorted({(event.action, event.kind) for event in part_events if event.what == "repaired"}):
        row = limits.find("repair.retest", action=action, part=part)
        if row is not None:
            policies.append(
                Retest(action=action, part=part, checks=compare.words(row), source=f"{row.source}, {row.date}")
            )
    return policies


def record_events(
    job: Job,
    state: gate.RepairState,
    verdicts: Verdicts,
    decisions: Iterable[Decision],
    extract: GateExtract,
) -> None:
    """Record the places of parts, failures, and checks that passed again."""
    job.ledger.sight_parts(job.run, extract.parts.packed, second_text(job.now()))
    job.ledger.record_parts(job.run, gate.repair_events(verdicts, decisions, state, extract.collected))
