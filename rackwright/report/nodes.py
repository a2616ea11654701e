"""Each covered machine in the report: its status, its verdicts, and why it was refused.

A check that refuses a machine without a verdict is listed as not run, so no required check is missing from the page.
"""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.model.gate import Decision
from rackwright.model.handover import Handover
from rackwright.model.verdict import Outcome, Verdict
from rackwright.report import finding_text, passport, view
from rackwright.report.view import NodeStatus

_GRAVITY = [Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.DEGRADED, Outcome.PASS]
"""Worst first, in the order in which the gate chooses its reason."""


def status(handover: Handover) -> dict[str, NodeStatus]:
    """The gate's decision on each covered machine."""
    decided = {d.node: NodeStatus.ACCEPTED if d.accepted else NodeStatus.REFUSED for d in handover.decisions}
    return {node: decided.get(node, NodeStatus.UNDECIDED) for node in handover.nodes}


def covered_nodes(handover: Handover, status: Mapping[str, NodeStatus]) -> list[view.ReportNode]:
    """Every covered machine, in design order."""
    decisions = {decision.node: decision for decision in handover.decisions}
    by_node: dict[str, list[Verdict]] = {}
    for verdict in handover.verdicts:
        by_node.setdefault(verdict.target, []).append(verdict)
    machines = []
    for node in handover.design.nodes():
        if node.name in status:
            verdicts = _verdicts(by_node.get(node.name, []), decisions.get(node.name))
            machines.append(
                view.ReportNode(
                    node=node.name,
                    role=node.role,
                    sku=node.server.sku,
                    rack=node.rack,
                    unit=node.unit,
                    accelerators=node.accelerators,
                    status=status[node.name],
                    reason=_reason(verdicts, decisions.get(node.name)),
                    verdicts=verdicts,
                    parts=passport.parts(handover.parts.get(node.name, ())),
                    versions=passport.versions(handover.evidence.get(node.name)),
                    software=passport.software(handover.evidence.get(node.name)),
                    repairs=passport.repairs(node.name, handover.parts.get(node.name, ()), handover.history),
                    taken=handover.evidence[node.name].taken if node.name in handover.evidence else "",
                )
            )
    return machines


def _verdicts(verdicts: list[Verdict], decision: Decision | None) -> list[view.Judged]:
    blocking = set(decision.blocking) if decision else set()
    waived = set(decision.waived) if decision else set()
    fields = {
        v.check: {**v.model_dump(include=set(view.Judged.model_fields)), "brief": finding_text.brief(v)}
        for v in map(finding_text.readable, verdicts)
    }
    holds = {hold.rule: hold.says for hold in decision.holds} if decision else {}
    for check in blocking - set(fields):
        fields[check] = _hold_fields(check, holds[check]) if check in holds else _never_judged(check)
    return [
        view.Judged.model_validate({**fields[check], "blocking": check in blocking, "waived": check in waived})
        for check in sorted(fields)
    ]


def _never_judged(check: str) -> dict[str, object]:
    return {
        "check": check,
        "title": check,
        "outcome": Outcome.NOT_RUN,
        "observed": "nothing",
        "expected": "a verdict",
        "source": "the gate asks for it",
        "says": "the gate asks for this check and it gave no verdict",
        "brief": "the gate asks for this check and it gave no verdict",
        "evidence": [],
    }


def _hold_fields(rule: str, says: str) -> dict[str, object]:
    """A hold of the gate, which keeps the node out besides all checks."""
    texts = {
        "observed": says,
        "expected": "nothing that holds the node",
        "source": "the gate",
        "says": says,
        "brief": says,
    }
    return {"check": rule, "title": f"Rule {rule}", "outcome": Outcome.FAIL, "evidence": [], **texts}


def _reason(verdicts: list[view.Judged], decision: Decision | None) -> str:
    """The most severe blocking verdict in one sentence, and how many more there are."""
    if decision is None or decision.accepted:
        return ""
    blocking = sorted((v for v in verdicts if v.blocking), key=lambda v: (_GRAVITY.index(v.outcome), v.check))
    if not blocking:
        return decision.reason
    more = len(blocking) - 1
    tail = f" ({more} more check{'s' if more > 1 else ''} refuse{'' if more > 1 else 's'} it)" if more else ""
    return f"{blocking[0].brief.rstrip('.')}{tail}."
