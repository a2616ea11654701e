"""Decides a whole chain of gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache

from rackwright.gate.decide import WAIVABLE, OutcomeNumbers, decide_nodes
from rackwright.gate.evidence_age import old_evidence, validity_text
from rackwright.gate.groups import Coverage, Groups, Plant, closed_holds, decide_groups
from rackwright.gate.isolation_gate import FabricNotes, close_fabrics
from rackwright.gate.waivers import covers
from rackwright.model.capability import Capability
from rackwright.model.gate import Decision, Gate, GroupDecision, Hold, Waiver
from rackwright.model.node_verdicts import NodeVerdicts, Verdicts, by_target
from rackwright.model.verdict import Verdict


@dataclass(frozen=True)
class GateInput:
    """Everything the gates decide from."""

    verdicts: Verdicts
    nodes: Sequence[str]
    """Nodes that the gates decide on, in the order of the decisions."""
    waivers: Sequence[Waiver]
    now: datetime
    collected: Mapping[str, datetime]
    """Time of the evidence, by node."""
    members: Groups
    coverage: Coverage = field(default_factory=dict)
    holds: Sequence[Hold] = ()
    """Holds from the repair history (`rejoin`) and from isolation (`isolation_gate`)."""
    faults: FabricNotes = field(default_factory=dict)
    """Cables and switches that isolation blamed, by fabric."""
    notes: FabricNotes = field(default_factory=dict)
    """Remarks printed beside the reason, by fabric."""
    capabilities: Mapping[str, Sequence[Capability]] | None = None
    """Capabilities of the accelerators of each node; a node that is not named is treated as if it had all."""
    around: Plant = field(default_factory=dict)
    """Rack PDUs and CDUs, by the rack or site they refuse."""


def decide_all(chain: Sequence[Gate], case: GateInput) -> tuple[list[Decision], list[GroupDecision]]:
    """The last gate's decision on every node, and every gate's decisions on its groups."""
    judged = by_target(case.verdicts)
    passed: dict[str, list[str]] = {}
    holds = list(case.holds)
    decisions: list[Decision] = []
    outcomes = OutcomeNumbers()
    for gate in chain:
        node_holds = [*holds, *old_evidence(case.collected, gate, case.now, case.nodes)]
        decisions = decide_nodes(
            judged, gate, case.waivers, case.now.date(), case.nodes, node_holds, case.capabilities, outcomes
        )
        passed[gate.name] = [decision.node for decision in decisions if decision.accepted]
    remaining = {**judged, **dict(_unwaived_verdicts(judged, case))}
    group_decisions = decide_groups(
        chain, passed, case.members, remaining, case.coverage, case.around, _old_plant(chain, case)
    )
    group_decisions = close_fabrics(group_decisions, case.faults, case.notes)
    late_holds = closed_holds(chain, group_decisions, case.members, decisions)
    if late_holds:
        all_holds = [*holds, *old_evidence(case.collected, chain[-1], case.now, case.nodes), *late_holds]
        decisions = decide_nodes(
            judged, chain[-1], case.waivers, case.now.date(), case.nodes, all_holds, case.capabilities, outcomes
        )
    return _dated_decisions(decisions, case, chain[-1]), group_decisions


def _dated_decisions(decisions: list[Decision], case: GateInput, last: Gate) -> list[Decision]:
    """`decisions` with the age of the evidence of each, worded once for all nodes that were collected together."""
    limit = last.evidence
    if limit is None:
        return decisions
    validity = cache(lambda collected_at: validity_text(collected_at, limit, case.now))
    return [
        Decision.unvalidated(**{**decision.__dict__, "evidence": validity(case.collected[decision.node])})
        if decision.node in case.collected
        else decision
        for decision in decisions
    ]


def _old_plant(chain: Sequence[Gate], case: GateInput) -> dict[str, dict[str, str]]:
    """Gate -> plant unit -> why its evidence is too old."""
    units = {name for members in case.around.values() for name in members}
    return {
        gate.name: {hold.node: hold.says for hold in old_evidence(case.collected, gate, case.now, units)}
        for gate in chain
    }


def _unwaived_verdicts(judged: Mapping[str, NodeVerdicts], case: GateInput) -> Iterator[tuple[str, NodeVerdicts]]:
    """The verdicts on the plant without those that are waived."""
    for name in {name for members in case.around.values() for name in members if name in judged}:
        standing = [verdict for verdict in judged[name].others if not plant_waived(verdict, case)]
        yield name, judged[name]._replace(others=standing)


def plant_waived(verdict: Verdict, case: GateInput) -> bool:
    """True if a valid waiver covers this defect of a plant unit; a waiver never covers a missing reading."""
    return verdict.outcome in WAIVABLE and any(
        case.now.date() <= waiver.last_day and covers(waiver, verdict) for waiver in case.waivers
    )
