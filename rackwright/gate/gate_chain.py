"""The whole chain of gates in one go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rackwright.gate.decide import WAIVABLE, decide
from rackwright.gate.evidence_age import old
from rackwright.gate.groups import Coverage, Groups, Plant, closed_holds, decide_groups
from rackwright.gate.isolation_gate import Sentences, shut
from rackwright.gate.waivers import covers
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
    """Of the repair history (`rejoin`) and of isolation (`isolated`)."""
    faults: Sentences = field(default_factory=dict)
    """By fabric: cables and switches that isolation blamed."""
    notes: Sentences = field(default_factory=dict)
    """By fabric: what is said beside the reason."""
    around: Plant = field(default_factory=dict)
    """Rack PDUs and CDUs, by what they refuse."""


def decide_all(chain: Sequence[Gate], case: Case) -> tuple[list[Decision], list[GroupDecision]]:
    """What the last gate of `chain` decides on every node, and what every gate decides on its groups."""
    passed: dict[str, list[str]] = {}
    holds = list(case.holds)
    decisions: list[Decision] = []
    for gate in chain:
        holds_here = [*holds, *old(case.taken, gate, case.now, case.nodes)]
        decisions = decide(case.verdicts, gate, case.waivers, case.now[:10], case.nodes, holds_here)
        passed[gate.name] = [one.node for one in decisions if one.accepted]
    names = {name for members in case.around.values() for name in members}
    left = [one for one in case.verdicts if one.target not in names or not waived(one, case)]
    decided = decide_groups(chain, passed, case.members, left, case.coverage, case.around)
    decided = shut(decided, case.faults, case.notes)
    out = closed_holds(chain, decided, case.members, decisions)
    if out:
        all_holds = [*holds, *old(case.taken, chain[-1], case.now, case.nodes), *out]
        decisions = decide(case.verdicts, chain[-1], case.waivers, case.now[:10], case.nodes, all_holds)
    return decisions, decided


def waived(verdict: Verdict, case: Case) -> bool:
    """Whether a waiver that still holds covers what was found at a unit of the plant; never what was not seen."""
    return verdict.outcome in WAIVABLE and any(
        case.now[:10] <= one.until and covers(one, verdict) for one in case.waivers
    )
