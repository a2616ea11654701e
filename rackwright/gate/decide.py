"""Decides which nodes may join.

It fails closed: a pattern of the gate without a matching verdict refuses the node, and so does every verdict that is
not a pass. A degraded verdict opens the gate only if the gate allows it; one by an advisory limit refuses no node. A
waiver covers a known defect (fail, degraded) of one check on one node, or on one part of it, until its end date; it
never covers missing readings (inconclusive, not_run) or holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from rackwright.gate.check_patterns import CheckRole, CheckRules
from rackwright.gate.reason import accepted_reason, refused_reason
from rackwright.gate.waivers import covers
from rackwright.model.capability import Capability
from rackwright.model.gate import Decision, Gate, Hold, Waiver
from rackwright.model.node_verdicts import NO_VERDICT, NodeVerdicts, Verdicts, by_target
from rackwright.model.verdict import Outcome, Verdict

WAIVABLE = (Outcome.FAIL, Outcome.DEGRADED)


class OutcomeNumbers:
    """Numbers nodes by their outcomes: equal outcomes give one number, so that a chain of gates evaluates them once."""

    def __init__(self) -> None:
        self._by_node: dict[int, tuple[NodeVerdicts, int]] = {}
        """Stored with the verdicts, so that no other object can reuse their address."""
        self._numbers: dict[Hashable, int] = {}

    def number(self, verdicts: NodeVerdicts) -> int:
        """The number for the verdicts on a node; equal nodes share the tuple of passed checks."""
        if id(verdicts) not in self._by_node:
            key = id(verdicts.passed), *((verdict.check, verdict.outcome) for verdict in verdicts.others)
            self._by_node[id(verdicts)] = verdicts, self._numbers.setdefault(key, len(self._numbers))
        return self._by_node[id(verdicts)][1]


def decide_nodes(
    verdicts: Verdicts,
    gate: Gate,
    waivers: Iterable[Waiver],
    today: date,
    nodes: Sequence[str] | None = None,
    holds: Iterable[Hold] = (),
    capabilities: Mapping[str, Sequence[Capability]] | None = None,
    outcomes: OutcomeNumbers | None = None,
) -> list[Decision]:
    """One decision per node of `nodes` (default: every node with a verdict), in that order.

    A waiver that ended before `today` covers nothing. A node without verdicts is refused. Pass `nodes` if there are
    verdicts on machines that this gate does not cover (control servers). A node without `capabilities` needs a verdict
    for every pattern of `Gate.where`. The gates of a chain share `outcomes`.
    """
    judged = by_target(verdicts)
    valid: dict[str, list[Waiver]] = defaultdict(list)
    for waiver in waivers:
        if today <= waiver.last_day:
            valid[waiver.node].append(waiver)
    holds_by_node: dict[str, list[Hold]] = defaultdict(list)
    for hold in holds:
        holds_by_node[hold.node].append(hold)
    rules, numbers = CheckRules.of(gate), outcomes or OutcomeNumbers()
    required = cache(lambda of_node: tuple(gate.required(of_node)))
    accepted: dict[Hashable, dict[str, Any]] = {}
    decisions = []
    for node in judged if nodes is None else dict.fromkeys(nodes):
        verdicts_of_node, of_node = judged.get(node, NO_VERDICT), (capabilities or {}).get(node)
        patterns = required(None if of_node is None else tuple(of_node))
        alike = patterns, numbers.number(verdicts_of_node)
        if alike in accepted and node not in valid and node not in holds_by_node:
            decisions.append(Decision.unvalidated(**{**accepted[alike], "node": node}))
            continue
        decision = _decide(node, verdicts_of_node, rules, patterns, valid.get(node, []), holds_by_node.get(node, []))
        if decision.accepted and not decision.waived:
            accepted[alike] = dict(decision)
        decisions.append(decision)
    return decisions


def _decide(
    node: str,
    verdicts: NodeVerdicts,
    rules: CheckRules,
    patterns: Sequence[str],
    waivers: Sequence[Waiver],
    holds: list[Hold],
) -> Decision:
    gate, passed = rules.gate, rules.count(verdicts.passed)
    required = [verdict for verdict in verdicts.others if rules.role_of(verdict.check) is CheckRole.ALWAYS]
    optional = [verdict for verdict in verdicts.others if rules.role_of(verdict.check) is CheckRole.WHEN_RUN]
    ran = [verdict for verdict in optional if verdict.outcome != Outcome.NOT_RUN]
    matched = passed.patterns.union(*(rules.patterns_of(verdict.check) for verdict in required))
    missing = [pattern for pattern in patterns if pattern not in matched]
    closed = [verdict for verdict in (*required, *ran) if not opens(verdict, gate)]
    waived = [
        verdict
        for verdict in closed
        if verdict.outcome in WAIVABLE and any(covers(waiver, verdict) for waiver in waivers)
    ]
    blocking = [verdict for verdict in closed if verdict not in waived]
    accepted = bool(gate.checks) and not missing and not blocking and not holds
    refusing = sorted({*(verdict.check for verdict in blocking), *missing, *(hold.rule for hold in holds)})
    names = sorted({verdict.check for verdict in waived})
    return Decision(
        node=node,
        accepted=accepted,
        blocking=refusing if gate.checks else [gate.name],
        reason=accepted_reason(gate, passed.counted + len(required) + len(ran), names)
        if accepted
        else refused_reason(gate, blocking, missing, holds),
        waived=names,
        holds=holds,
        untested=sorted({verdict.check for verdict in optional} - {verdict.check for verdict in ran} - passed.optional),
    )


def opens(verdict: Verdict, gate: Gate) -> bool:
    """Whether `gate` opens for a verdict."""
    if verdict.outcome == Outcome.PASS or (gate.allow_degraded and verdict.outcome == Outcome.DEGRADED):
        return True
    return verdict.advisory and verdict.outcome in WAIVABLE
