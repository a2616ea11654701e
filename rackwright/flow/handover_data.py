"""Builds the input of the report: results of evidence and decision, and the record of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright import __version__, design, gate
from rackwright.flow import summaries
from rackwright.flow.decision import GateDecision, GateRecord, waiver_policy
from rackwright.model.base import Record
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.handover import Handover, StepResult
from rackwright.model.platform_record import PlatformRecord
from rackwright.model.repair import PartEvent
from rackwright.model.times import second_text
from rackwright.model.verdict import Verdict


class RunRecord(Record):
    """Content of the report that does not follow from evidence: it is signed as the ledger has it."""

    run: str
    nodes: list[str]
    """Machines that the run covered."""
    steps: list[StepResult]
    jobs: list[str]
    """Sentences on the jobs that accepted nodes ran, and on the actions of the schedulers."""
    rehearsal: dict[str, Any] | None
    history: list[PartEvent]
    """Events of parts of the site, including those of this decision."""
    platform: PlatformRecord | None = None
    """The newest run of the platform stack; None without one."""


def handover_of(
    planned: Design,
    evidence: Mapping[str, NodeEvidence],
    verdicts: Sequence[Verdict],
    decision: GateDecision,
    gate_record: GateRecord,
    run_record: RunRecord,
) -> Handover:
    """The input of the report."""
    policy = waiver_policy(planned)
    links = {name: of_node.get(NodeFabric) for name, of_node in evidence.items()}
    return Handover(
        design=planned,
        nodes=tuple(run_record.nodes),
        design_verdicts=tuple(design.rules.run_rules(planned)),
        verdicts=tuple(verdicts),
        decisions=tuple(decision.nodes),
        steps=tuple(run_record.steps),
        jobs=tuple(run_record.jobs),
        not_tested=tuple(summaries.not_tested(planned, run_record.nodes, verdicts)),
        rehearsal=run_record.rehearsal,
        run_id=run_record.run,
        created=second_text(gate_record.now),
        version=__version__,
        seen_links={name: link for name, link in links.items() if link is not None},
        evidence=evidence,
        parts={name: gate.node_parts(of_node) for name, of_node in evidence.items()},
        history=tuple(run_record.history),
        groups=tuple(decision.groups),
        waivers=tuple(gate_record.waivers),
        waiver_ends={waiver.key: gate.last_day(waiver, policy) for waiver in gate_record.waivers},
        void_waivers=gate.void_reasons(gate_record.waivers, policy, gate_record.now.date()),
        isolations=tuple(gate_record.sealed.isolations),
        platform=run_record.platform,
    )
