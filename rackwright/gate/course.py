"""The whole chain of gates in one go. In: verdicts and everything else that decides. Out: nodes and groups, decided. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rackwright.gate.age import old
from rackwright.gate.decide import decide
from rackwright.gate.groups import Coverage, Groups, closed_holds, decide_groups
from rackwright.model.gate import Decision, Gate, GroupDecision, Hold, Waiver
from rackwright.model.verdict import Verdict


@dataclass(frozen=True)
class Case:
    """What the gates decide from."""

    verdicts: Sequence[Verdict]
    nodes: Sequence[str]
    """Nodes that the gates are about, in the order of the decisions."""
    waivers: Sequence[Waiver]
    now: str
    """ISO time."""
    taken: Mapping[str, str]
    """By node: ISO time of its evidence."""
    members: Groups
    coverage: Coverage = field(default_factory=dict)
    holds: Sequence[Hold] = ()
    """Of the repair history (`rejoin`)."""


def decide_all(chain: Sequence[Gate], case: Case) -> tuple[list[Decision], list[GroupDecision]]:
    """What the last gate of `chain` decides on every node, and what every gate decides on its groups."""
    passed: dict[str, list[str]] = {}
    holds = list(case.holds)
    decisions: list[Decision] = []
    for gate in chain:
        holds_here = [*holds, *old(case.taken, gate, case.now, case.nodes)]
        decisions = decide(case.verdicts, gate, case.waivers, case.now[:10], case.nodes, holds_here)
        passed[gate.name] = [one.node for one in decisions if one.accepted]
    decided = decide_groups(chain, passed, case.members, case.verdicts, case.coverage)
    out = closed_holds(chain, decided, case.members, decisions)
    if out:
        all_holds = [*holds, *old(case.taken, chain[-1], case.now, case.nodes), *out]
        decisions = decide(case.verdicts, chain[-1], case.waivers, case.now[:10], case.nodes, all_holds)
    return decisions, decided
