"""Decides which nodes may join.

It fails closed: a pattern of the gate that matches no verdict refuses the node, and so does every verdict that is not a
pass. A degraded verdict opens only where the gate allows it. A waiver covers a known defect (fail, degraded) of one check
on one node, or on one part of it, until its end; it never covers what was not seen (inconclusive, not_run), and no hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from rackwright.gate.check_patterns import Asked, asks, meets
from rackwright.gate.reason import accepted_reason, refused_reason
from rackwright.gate.waivers import covers
from rackwright.model.gate import Decision, Gate, Hold, Waiver
from rackwright.model.verdict import Outcome, Verdict

WAIVABLE = (Outcome.FAIL, Outcome.DEGRADED)


def decide(
    verdicts: Iterable[Verdict],
    gate: Gate,
    waivers: Iterable[Waiver],
    today: str,
    nodes: Sequence[str] | None = None,
    holds: Iterable[Hold] = (),
) -> list[Decision]:
    """One decision per node of `nodes`, by default per node with a verdict, in the order given.

    `today` is an ISO date. A node of `nodes` without verdicts is refused. Give `nodes` when there are verdicts on machines
    that this gate is not about (control servers).
    """
    by_node: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_node[verdict.target].append(verdict)
    valid: dict[str, list[Waiver]] = defaultdict(list)
    for waiver in waivers:
        if today <= waiver.until:
            valid[waiver.node].append(waiver)
    held: dict[str, list[Hold]] = defaultdict(list)
    for hold in holds:
        held[hold.node].append(hold)
    asked, met = asks(gate), meets(gate)
    wanted = by_node if nodes is None else dict.fromkeys(nodes)
    return [
        _decide(node, by_node.get(node, []), gate, asked, met, valid.get(node, []), held.get(node, []))
        for node in wanted
    ]


def _decide(
    node: str,
    verdicts: Sequence[Verdict],
    gate: Gate,
    asked: Callable[[str], Asked],
    met: Callable[[str], frozenset[str]],
    waivers: Sequence[Waiver],
    holds: list[Hold],
) -> Decision:
    required = [one for one in verdicts if asked(one.check) is Asked.ALWAYS]
    loose = [one for one in verdicts if asked(one.check) is Asked.WHEN_RUN]
    ran = [one for one in loose if one.outcome != Outcome.NOT_RUN]
    shown: set[str] = set().union(*(met(one.check) for one in required))
    missing = [pattern for pattern in gate.checks if pattern not in shown]
    closed = [one for one in (*required, *ran) if not _opens(one, gate)]
    waived = [one for one in closed if one.outcome in WAIVABLE and any(covers(waiver, one) for waiver in waivers)]
    blocking = [verdict for verdict in closed if verdict not in waived]
    accepted = bool(gate.checks) and not missing and not blocking and not holds
    refusing = sorted({*(one.check for one in blocking), *missing, *(hold.rule for hold in holds)})
    names = sorted({verdict.check for verdict in waived})
    return Decision(
        node=node,
        accepted=accepted,
        blocking=refusing if gate.checks else [gate.name],
        reason=accepted_reason(gate, len(required) + len(ran), names)
        if accepted
        else refused_reason(gate, blocking, missing, holds),
        waived=names,
        holds=holds,
        untested=sorted({one.check for one in loose} - {one.check for one in ran}),
    )


def _opens(verdict: Verdict, gate: Gate) -> bool:
    return verdict.outcome == Outcome.PASS or (gate.allow_degraded and verdict.outcome == Outcome.DEGRADED)
