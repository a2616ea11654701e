"""Decides which nodes may join. In: verdicts, a gate, waivers, the day. Out: one `Decision` per node.

It fails closed: a pattern of the gate that matches no verdict refuses the node, and so does every verdict that is not a
pass. A degraded verdict opens only where the gate allows it. A waiver covers a known defect (fail, degraded) of one check
on one node until its end; it never covers what was not seen (inconclusive, not_run).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from rackwright.gate.reason import accepted_reason, refused_reason
from rackwright.model.gate import Decision, Gate, Waiver
from rackwright.model.verdict import Outcome, Verdict

WAIVABLE = (Outcome.FAIL, Outcome.DEGRADED)


def decide(
    verdicts: Iterable[Verdict],
    gate: Gate,
    waivers: Iterable[Waiver],
    today: str,
    nodes: Sequence[str] | None = None,
) -> list[Decision]:
    """One decision per node of `nodes`, by default per node with a verdict, in the order given.

    `today` is an ISO date. A node of `nodes` without verdicts is refused. Give `nodes` when there are verdicts on machines
    that this gate is not about (control servers).
    """
    by_node: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_node[verdict.target].append(verdict)
    valid = {(waiver.check, waiver.node) for waiver in waivers if today <= waiver.until}
    wanted = by_node if nodes is None else dict.fromkeys(nodes)
    return [_decide(node, by_node.get(node, []), gate, valid) for node in wanted]


def _decide(node: str, verdicts: list[Verdict], gate: Gate, valid: set[tuple[str, str]]) -> Decision:
    required = [verdict for verdict in verdicts if _asked(gate, verdict)]
    missing = [pattern for pattern in gate.checks if not any(fnmatchcase(one.check, pattern) for one in required)]
    closed = [verdict for verdict in required if not _opens(verdict, gate)]
    waived = [one for one in closed if one.outcome in WAIVABLE and (one.check, node) in valid]
    blocking = [verdict for verdict in closed if verdict not in waived]
    accepted = bool(gate.checks) and not missing and not blocking
    ids = sorted({*(verdict.check for verdict in blocking), *missing})
    names = sorted({verdict.check for verdict in waived})
    return Decision(
        node=node,
        accepted=accepted,
        blocking=ids if gate.checks else [gate.name],
        reason=accepted_reason(gate, len(required), names) if accepted else refused_reason(gate, blocking, missing),
        waived=names,
    )


def _asked(gate: Gate, verdict: Verdict) -> bool:
    return any(fnmatchcase(verdict.check, pattern) for pattern in gate.checks)


def _opens(verdict: Verdict, gate: Gate) -> bool:
    return verdict.outcome == Outcome.PASS or (gate.allow_degraded and verdict.outcome == Outcome.DEGRADED)
