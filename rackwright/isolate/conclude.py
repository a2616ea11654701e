"""Makes a verdict of an isolation at any time, finished or not. Nothing is dropped: a node that is neither faulty nor cleared is open or untested, and what else would fit
stands beside what was found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from rackwright.isolate.clearance import ExcludedFaults
from rackwright.isolate.hypotheses import Explanations
from rackwright.isolate.inference import Group
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.parts import FaultPart, PartIds
from rackwright.isolate.proof import prove_coverage
from rackwright.isolate.survivors import ExerciseCounts
from rackwright.isolate.verdict import ClearedNodes, Explanation, FaultyPart, IsolationVerdict
from rackwright.isolate.wiring import NONE

NAMED = 1e-3
"""Explanations below this probability are not named."""
EXPLANATIONS = 10
REFERENCES = 8


def conclude_isolation(isolation: Isolation) -> IsolationVerdict:
    """The verdict: faulty, cleared, open and untested nodes, and every explanation that fits."""
    atoms, names = isolation.atoms, isolation.atoms.wiring.nodes
    standing, ran = isolation.standing(), isolation.repeats.ran
    of_nodes, shared_explanations = isolation.explained()
    inference = isolation.inference
    doubted = {
        group: share
        for group, share in shared_explanations.groups().items()
        if not inference.hidden(shared_explanations, group)
    }
    sure = [
        group for group, share in doubted.items() if share >= isolation.known.sure and inference.is_confirmed(group)
    ]
    faulty_parts = [faulty_part for node, fits in of_nodes.items() for faulty_part in _of_node(isolation, node, fits)]
    faulty_parts += [
        _faulty_part(atoms, shared_explanations, group, [suspect for suspect in doubted if suspect not in sure])
        for group in sure
    ]
    owners = {atoms.owner(group[0]) for group in doubted} - {NONE}
    cleared = (standing.good & ran) - owners
    open_ = sorted(ran - standing.faulty - cleared)
    tally = ExerciseCounts(atoms.wiring, atoms.paths)
    for round_ in isolation.history:
        tally.add([result.trial for result in round_ if result.ran])
    return IsolationVerdict(
        faulty_parts=tuple(faulty_parts),
        faulty=tuple(names[node] for node in sorted(standing.faulty)),
        cleared=tuple(names[node] for node in sorted(cleared)),
        open=tuple((names[node], float(standing.probability[node])) for node in open_),
        untested=tuple(names[node] for node in range(atoms.count) if node not in ran),
        explanations=_explanations(atoms, shared_explanations, doubted),
        unproven=_unproven(isolation, cleared),
        not_run=tuple(
            (tuple(names[n] for n in result.trial.nodes), result.why) for result in isolation.told if not result.ran
        ),
        coverage=prove_coverage(tally, atoms, isolation.known.load),
        references=tuple(names[node] for node in isolation.references() if node in cleared)[:REFERENCES],
        tests=len(isolation.told),
        rounds=isolation.rounds,
        complete=isolation.done,
        clearances=_clearances(isolation, cleared),
        ties=tuple(tuple(names[node] for node in nodes) for nodes in isolation.ties()),
        suspects=tuple(names[node] for node in open_ if node in isolation.suspects()),
        slow=tuple((names[node], loss) for node, loss in sorted(isolation.slightly_slow().items()) if node in open_),
        offset=isolation.common.offset,
    )


def _clearances(isolation: Isolation, cleared: Collection[int]) -> tuple[ClearedNodes, ...]:
    """Cleared nodes by the faults that their tests exclude, the weakest statement first."""
    names = isolation.atoms.wiring.nodes
    nodes: dict[ExcludedFaults, list[str]] = defaultdict(list)
    for node in sorted(cleared):
        nodes[isolation.reach(node)].append(names[node])
    ordered = sorted(nodes, key=lambda reach: (-reach.frequency, -reach.loss))
    return tuple(ClearedNodes(reach, tuple(nodes[reach])) for reach in ordered)


def part(atoms: PartIds, group: Group) -> FaultPart:
    """The name of a group: one part, or one of several of a kind; if the kinds differ, the first kind with all names."""
    parts = [atoms.part(atom) for atom in group]
    return FaultPart(parts[0].kind, tuple(name for member in parts for name in _member_names(member, parts[0].kind)))


def _member_names(member: FaultPart, kind: str) -> tuple[str, ...]:
    return member.names if member.kind == kind else tuple(f"{member.kind} {name}" for name in member.names)


def _of_node(isolation: Isolation, node: int, fits: Explanations) -> list[FaultyPart]:
    atoms, name = isolation.atoms, isolation.atoms.wiring.nodes[node]
    best = fits.ranked[0].parts
    loss, frequency = isolation.symptoms(node) or (None, None)
    if not best:
        return [FaultyPart(FaultPart("node", (name,)), 1.0, (), name, loss, frequency)]
    alternatives = [
        group for group in fits.groups() if group not in best and not isolation.inference.hidden(fits, group)
    ]
    return [
        replace(_faulty_part(atoms, fits, group, alternatives), node=name, loss=loss, frequency=frequency)
        for group in best
    ]


def _faulty_part(atoms: PartIds, fits: Explanations, group: Group, alternatives: Iterable[Group]) -> FaultyPart:
    instead = tuple(
        (part(atoms, alternative), fits.chance(alternative))
        for alternative in alternatives
        if fits.chance(alternative) > NAMED
    )
    return FaultyPart(part(atoms, group), fits.chance(group), instead, _owner(atoms, group))


def _owner(atoms: PartIds, group: Group) -> str:
    owners = {atoms.owner(atom) for atom in group}
    return atoms.wiring.nodes[owners.pop()] if len(owners) == 1 and NONE not in owners else ""


def _explanations(
    atoms: PartIds, shared_explanations: Explanations, doubted: Collection[Group]
) -> tuple[Explanation, ...]:
    """Explanations of readings without a faulty node; sets that differ only by parts hidden behind a faulty one are
    merged.
    """
    merged: Counter[tuple[Group, ...]] = Counter()
    for fit in shared_explanations.ranked:
        merged[tuple(group for group in fit.parts if group in doubted)] += fit.probability  # type: ignore[assignment]
    if not any(merged):
        return ()
    return tuple(
        Explanation(tuple(part(atoms, group) for group in groups), float(share))
        for groups, share in merged.most_common(EXPLANATIONS)
        if share > NAMED
    )


def _unproven(isolation: Isolation, cleared: Collection[int]) -> tuple[FaultPart, ...]:
    """Rails and insides of cleared nodes without a good reading, because every test of them met a faulty part."""
    atoms, good = isolation.atoms, isolation.inference.good()
    ids_by_node = [
        [atoms.inside(node), *(atoms.rail(node, slot) for slot in range(len(atoms.wiring.rails[node])))]
        for node in sorted(cleared)
    ]
    return tuple(atoms.part(atom) for parts in ids_by_node for atom in parts if atom not in good)
