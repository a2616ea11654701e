"""Makes a verdict of an isolation at any time, finished or not. Nothing is dropped: a node that is neither faulty nor cleared is open or untested, and what else would fit
stands beside what was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace

from rackwright.isolate.hypotheses import Fits
from rackwright.isolate.inference import Group
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.parts import Atoms, Part
from rackwright.isolate.proof import prove
from rackwright.isolate.survivors import Tally
from rackwright.isolate.verdict import Explanation, Found, Verdict
from rackwright.isolate.wiring import NONE

NAMED = 1e-3
"""What fits less probably than this is not named."""
EXPLANATIONS = 10
REFERENCES = 8


def conclude(isolation: Isolation) -> Verdict:
    """Found, cleared, open, untested, and every explanation that fits."""
    atoms, names = isolation.atoms, isolation.atoms.wiring.nodes
    standing, ran = isolation.standing(), isolation.repeats.ran
    of_nodes, rest = isolation.explained()
    inference = isolation.inference
    doubted = {group: share for group, share in rest.groups().items() if not inference.hidden(rest, group)}
    sure = [group for group, share in doubted.items() if share >= isolation.known.sure and inference.shown(group)]
    found = [one for node, fits in of_nodes.items() for one in _of_node(isolation, node, fits)]
    found += [_found(atoms, rest, group, [one for one in doubted if one not in sure]) for group in sure]
    owners = {atoms.owner(group[0]) for group in doubted} - {NONE}
    cleared = (standing.good & ran) - owners
    open_ = sorted(ran - standing.faulty - cleared)
    tally = Tally(atoms.wiring, atoms.paths)
    for round_ in isolation.history:
        tally.add([one.trial for one in round_ if one.ran])
    return Verdict(
        found=tuple(found),
        faulty=tuple(names[node] for node in sorted(standing.faulty)),
        cleared=tuple(names[node] for node in sorted(cleared)),
        open=tuple((names[node], float(standing.probability[node])) for node in open_),
        untested=tuple(names[node] for node in range(atoms.count) if node not in ran),
        explanations=_explanations(atoms, rest, doubted),
        unproven=_unproven(isolation, cleared),
        not_run=tuple((tuple(names[n] for n in one.trial.nodes), one.why) for one in isolation.told if not one.ran),
        coverage=prove(tally, atoms, isolation.known.load),
        references=tuple(names[node] for node in isolation.references() if node in cleared)[:REFERENCES],
        tests=len(isolation.told),
        rounds=isolation.rounds,
        complete=isolation.done,
    )


def part(atoms: Atoms, group: Group) -> Part:
    """What a group is called: one part, or one of several of a kind; of several kinds the first is named with all names."""
    parts = [atoms.part(one) for one in group]
    return Part(parts[0].kind, tuple(name for one in parts for name in _named(one, parts[0].kind)))


def _named(one: Part, kind: str) -> tuple[str, ...]:
    return one.names if one.kind == kind else tuple(f"{one.kind} {name}" for name in one.names)


def _of_node(isolation: Isolation, node: int, fits: Fits) -> list[Found]:
    atoms, name = isolation.atoms, isolation.atoms.wiring.nodes[node]
    best = fits.ranked[0].parts
    if not best:
        return [Found(Part("node", (name,)), 1.0, (), name)]
    others = [one for one in fits.groups() if one not in best and not isolation.inference.hidden(fits, one)]
    return [replace(_found(atoms, fits, one, others), node=name) for one in best]


def _found(atoms: Atoms, fits: Fits, group: Group, others: Iterable[Group]) -> Found:
    instead = tuple((part(atoms, one), fits.chance(one)) for one in others if fits.chance(one) > NAMED)
    return Found(part(atoms, group), fits.chance(group), instead, _owner(atoms, group))


def _owner(atoms: Atoms, group: Group) -> str:
    owners = {atoms.owner(one) for one in group}
    return atoms.wiring.nodes[owners.pop()] if len(owners) == 1 and NONE not in owners else ""


def _explanations(atoms: Atoms, rest: Fits, doubted: Collection[Group]) -> tuple[Explanation, ...]:
    """Sets that differ only by what stands hidden behind a faulty part are one."""
    merged: Counter[tuple[Group, ...]] = Counter()
    for fit in rest.ranked:
        merged[tuple(group for group in fit.parts if group in doubted)] += fit.probability  # type: ignore[assignment]
    if not any(merged):
        return ()
    return tuple(
        Explanation(tuple(part(atoms, group) for group in groups), float(share))
        for groups, share in merged.most_common(EXPLANATIONS)
        if share > NAMED
    )


def _unproven(isolation: Isolation, cleared: Collection[int]) -> tuple[Part, ...]:
    """Rails and insides of cleared nodes that stand in no good reading, because something faulty is always in the way."""
    atoms, good = isolation.atoms, isolation.inference.good()
    own = [
        [atoms.inside(node), *(atoms.rail(node, slot) for slot in range(len(atoms.wiring.rails[node])))]
        for node in sorted(cleared)
    ]
    return tuple(atoms.part(one) for parts in own for one in parts if one not in good)
