"""What isolation says to the gate: which nodes stay out, and which fabrics stay closed.

The newest result that speaks of a part decides: a node is held until a later isolation clears it, a cable or switch closes its fabric until a later one
exercised it and blamed it no more. A fault does not go away with time, so blame has no age. Whether a node must have been isolated at all, and
how lately, is for the site to ask (``acceptance.isolation_hours``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rackwright.gate.evidence_age import HOUR, moment
from rackwright.model.gate import GroupDecision, Hold
from rackwright.model.isolation import Blamed, Isolated

BLAMED, WANTED = "isolation.blamed", "isolation.missing"
SHARED = ("cable", "switch")
Sentences = Mapping[str, Sequence[str]]
"""By fabric."""
SHOWN = 4
"""Names of which a part is one."""


@dataclass(frozen=True)
class Wanted:
    """What the site asks for."""

    hours: float
    nodes: Sequence[str]
    """Nodes that a test between nodes can reach."""
    now: str
    """ISO time."""


def held_back(results: Iterable[Isolated], nodes: Sequence[str], wanted: Wanted | None = None) -> list[Hold]:
    """One hold per node of `nodes` that isolation blamed, or that `wanted` asks for and no result of that age cleared."""
    ordered = _ordered(results)
    said = [*_blamed(ordered, set(nodes)), *(_missing(ordered, wanted) if wanted else ())]
    held = {hold.node for hold in said if hold.rule == BLAMED}
    return [hold for hold in said if hold.node in nodes and (hold.rule == BLAMED or hold.node not in held)]


def closed(results: Iterable[Isolated]) -> dict[str, list[str]]:
    """By fabric: a sentence per cable or switch that was blamed and not exercised without blame since."""
    found: dict[str, dict[tuple[str, ...], str]] = {}
    for one in _ordered(results):
        known = found.setdefault(one.fabric, {})
        blamed = [part for part in one.found if part.kind in SHARED]
        still = {name for part in blamed for name in part.names} | set(one.uncovered)
        kept = {names: says for names, says in known.items() if still & set(names) or not one.complete}
        new = {tuple(part.names): f"isolation of {one.taken[:16]} blames {_part(part)}" for part in blamed}
        found[one.fabric] = {**kept, **new}
    return {fabric: list(known.values()) for fabric, known in found.items() if known}


def shut(decided: Iterable[GroupDecision], faults: Sentences, notes: Sentences) -> list[GroupDecision]:
    """The same with fabrics closed for which there are `faults`; `notes` stand beside the reason and decide nothing."""
    return [
        _shut(one, faults.get(one.group, ()), notes.get(one.group, ())) if one.scope == "fabric" else one
        for one in decided
    ]


def _shut(one: GroupDecision, faults: Sequence[str], notes: Sequence[str]) -> GroupDecision:
    kept = [] if faults and one.open else [one.reason]
    return one.model_copy(update={"open": one.open and not faults, "reason": "; ".join([*kept, *faults, *notes])})


def _ordered(results: Iterable[Isolated]) -> list[Isolated]:
    return sorted(results, key=lambda one: moment(one.taken))


def _blamed(ordered: Sequence[Isolated], nodes: set[str]) -> Iterator[Hold]:
    """Per fabric, because a node that is good on one may be faulty on the other."""
    said: dict[tuple[str, str], str] = {}
    for one in ordered:
        for node in one.cleared:
            said.pop((node, one.fabric), None)
        for node in one.faulty:
            said[node, one.fabric] = _of_node(one, node)
    for (node, _), says in sorted(said.items()):
        if node in nodes:
            yield Hold(node=node, rule=BLAMED, says=says)


def _of_node(one: Isolated, node: str) -> str:
    parts = [_part(part) for part in one.found if part.node == node or node in _ends(part)] or [f"node {node}"]
    return f"isolation of {one.taken[:16]} on {one.fabric} blames {' and '.join(parts)}: isolate again after the repair"


def _ends(part: Blamed) -> list[str]:
    """The two nodes of a pair (``a+b``, ``a+b rail 3``)."""
    return part.names[0].split(" ")[0].split("+") if part.kind == "pair" else []


def _part(part: Blamed) -> str:
    more = f" and {len(part.names) - SHOWN} more" if len(part.names) > SHOWN else ""
    names = f"one of {', '.join(part.names[:SHOWN])}{more}" if len(part.names) > 1 else part.names[0]
    return f"{part.kind} {names} ({part.probability:.0%})"


def _missing(ordered: Sequence[Isolated], wanted: Wanted) -> Iterator[Hold]:
    newest = {node: one for one in ordered for node in (*one.cleared, *one.faulty)}
    for node in wanted.nodes:
        one = newest.get(node)
        hours = (moment(wanted.now) - moment(one.taken)).total_seconds() / HOUR if one else 0.0
        if one is None:
            yield Hold(
                node=node,
                rule=WANTED,
                says="no isolation settled it, and the site asks for one: rackwright isolate --run",
            )
        elif not 0 <= hours <= wanted.hours:
            says = f"its isolation is {hours:.0f} hours old, {wanted.hours:g} are allowed: rackwright isolate --run"
            yield Hold(node=node, rule=WANTED, says=says)
