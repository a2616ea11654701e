"""Makes a verdict of an isolation at any time, finished or not.

In: an `Isolation`. Out: `Verdict`. Pure. Nothing is dropped: a node that is neither faulty nor cleared is open or untested, and what else would fit
stands beside what was found. Cut here because the strategy asks, and this is the only place that answers.
"""

from __future__ import annotations

from rackwright.isolate.atoms import Atoms, Part
from rackwright.isolate.fits import Fits
from rackwright.isolate.inference import Group
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.proof import prove
from rackwright.isolate.tally import Tally
from rackwright.isolate.verdict import Explanation, Found, Verdict
from rackwright.isolate.wiring import NONE

NAMED = 1e-3
"""What fits less probably than this is not named."""
EXPLANATIONS = 10
REFERENCES = 8


def conclude(isolation: Isolation) -> Verdict:
    """Found, cleared, open, untested, and every explanation that fits."""
    atoms, names = isolation.atoms, isolation.atoms.wiring.nodes
    standing = isolation.standing()
    of_nodes, rest = isolation.explained()
    ran = isolation.repeats.ran
    sure = isolation.inference.settled(rest)
    found = [one for node, fits in of_nodes.items() for one in _of_node(atoms, node, fits)]
    found += _found(atoms, rest, "") if sure else []
    doubted = {atoms.owner(group[0]) for group, share in rest.groups().items() if share > NAMED} - {NONE}
    cleared = {node for node in standing.good & ran if node not in doubted or _cleared(atoms, rest, node)}
    open_ = [node for node in sorted(ran - standing.faulty - cleared)]
    tally = Tally(atoms.wiring, atoms.paths)
    for round_ in isolation.history:
        tally.add(round_)
    return Verdict(
        found=tuple(found),
        faulty=tuple(names[node] for node in sorted(standing.faulty)),
        cleared=tuple(names[node] for node in sorted(cleared)),
        open=tuple((names[node], float(standing.probability[node])) for node in open_),
        untested=tuple(names[node] for node in range(atoms.count) if node not in ran),
        explanations=() if sure and not rest.ranked[0].parts else _explanations(atoms, rest),
        not_run=tuple((tuple(names[n] for n in one.trial.nodes), one.why) for one in isolation.told if one.share is None),
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


def _of_node(atoms: Atoms, node: int, fits: Fits) -> list[Found]:
    name = atoms.wiring.nodes[node]
    if fits.ranked[0].parts:
        return _found(atoms, fits, name)
    return [Found(Part("node", (name,)), 1.0, (), name)]


def _found(atoms: Atoms, fits: Fits, node: str) -> list[Found]:
    best = fits.ranked[0].parts
    groups = fits.groups()
    instead = tuple((part(atoms, one), share) for one, share in groups.items() if one not in best and share > NAMED)
    return [Found(part(atoms, one), fits.chance(one), instead, node or _owner(atoms, one)) for one in best]


def _owner(atoms: Atoms, group: Group) -> str:
    owners = {atoms.owner(one) if atoms.kind(one) != "pair" else NONE for one in group}
    return atoms.wiring.nodes[owners.pop()] if len(owners) == 1 and NONE not in owners else ""


def _cleared(atoms: Atoms, rest: Fits, node: int) -> bool:
    """Whether what is left of doubt about parts of a node is less than what is named."""
    return sum(share for group, share in rest.groups().items() if atoms.owner(group[0]) == node) <= NAMED


def _explanations(atoms: Atoms, rest: Fits) -> tuple[Explanation, ...]:
    return tuple(
        Explanation(tuple(part(atoms, one) for one in fit.parts), fit.probability)
        for fit in rest.ranked[:EXPLANATIONS]
        if fit.probability > NAMED
    )
