"""Tests that distinguish explanations, once the faulty nodes are known and their faulty parts are not.

Candidates put one suspect into good company: a node with a reference, half of its rails, a pair alone, two nodes whose flow crosses a suspected switch or cable and two whose flow does not. The tests whose outcome splits the explanations best are chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from rackwright.isolate.exercise import channels
from rackwright.isolate.hypotheses import Explanations
from rackwright.isolate.parts import PartIds
from rackwright.isolate.splitting import Splitting
from rackwright.isolate.trial import Trial, TrialResult
from rackwright.isolate.wiring import NONE

SUSPECTS = 12
HOPS = 4
"""Flows that are tested per suspect that nodes share."""
DOUBTED = 1e-3
PAIR = 2


def choose_tests(
    atoms: PartIds, fits: Explanations, results: Sequence[TrialResult], partners: Sequence[int], ready_for: Callable[[Trial], bool], *,
    busy: Collection[int], showing: Sequence[Callable[[Trial], bool]],
) -> list[Trial]:  # fmt: skip
    """Tests without a common node and without `busy` ones; empty when nothing more can be distinguished.

    `ready_for`: whether a test may run once more. `showing`: one predicate per part that a single test incriminates; a test that can confirm it is chosen whatever else it yields.
    """
    rails_are_read = any(result.rails for result in results)
    ready = [trial for trial in dict.fromkeys(_candidates(atoms, fits, results, partners)) if ready_for(trial)]
    chosen = Splitting(atoms, fits, rails_are_read=rails_are_read).most_telling(ready, set(busy))
    used = {*busy, *(node for trial in chosen for node in trial.nodes)}
    for can_show in showing:
        for candidate in ready:
            if not used & set(candidate.nodes) and can_show(candidate):
                chosen.append(candidate)
                used |= set(candidate.nodes)
    return chosen


def _candidates(
    atoms: PartIds, fits: Explanations, results: Sequence[TrialResult], partners: Sequence[int]
) -> Iterator[Trial]:
    doubted = [group for group, share in fits.groups().items() if share > DOUBTED]
    for group in doubted[:SUSPECTS]:
        atom = group[0]
        if len(group) > 1:
            yield from _halves(atoms, atom, results)
        if atoms.kind(atom) == "pair":
            yield from _of_pair(atoms.ends(atom), partners)
        elif atoms.owner(atom) != NONE:
            yield from _of_node(atoms, atoms.owner(atom), group, partners)
        else:
            yield from _of_shared(atoms, atom, results, set(partners))


def _halves(atoms: PartIds, atom: int, results: Sequence[TrialResult]) -> Iterator[Trial]:
    """Tests of both halves of the smallest tested ring that depends on the part."""
    about = [result.trial for result in results if result.ran and len(result.trial.nodes) > PAIR]
    rings = [trial for trial in about if any(atom in parts for parts in channels(atoms, trial).values())]
    if rings:
        ring = min(rings, key=lambda trial: len(trial.nodes))
        half = (len(ring.nodes) + 1) // 2
        for nodes in (ring.nodes[:half], ring.nodes[-half:]):
            yield Trial(nodes, ring.over, ring.rails, ring.shift)


def _of_pair(ends: tuple[int, int], partners: Sequence[int]) -> Iterator[Trial]:
    yield Trial(ends)
    references = [node for node in partners if node not in ends]
    for end, reference in zip(ends, references, strict=False):
        yield Trial((end, reference))


def _of_node(atoms: PartIds, node: int, group: tuple[int, ...], partners: Sequence[int]) -> Iterator[Trial]:
    """Tests with a reference: on all rails, on half of the suspected rails, and on the other rails."""
    rails = {slot: atoms.rail(node, slot) for slot in range(len(atoms.wiring.rails[node]))}
    suspected_slots = [slot for slot, atom in rails.items() if atom in group]
    references = sorted((partner for partner in partners if partner != node), key=_near(atoms, node))[:2]
    subsets = (
        suspected_slots[::2],
        suspected_slots[: (len(suspected_slots) + 1) // 2],
        [slot for slot in rails if slot not in suspected_slots],
    )
    for reference in references:
        yield Trial((node, reference))
        for slots in subsets:
            if 0 < len(slots) < len(rails):
                yield Trial((node, reference), rails=tuple(slots))
        if atoms.wiring.domain[node] != NONE and atoms.wiring.domain[node] == atoms.wiring.domain[reference]:
            yield Trial((node, reference), over="nvlink")


def _near(atoms: PartIds, node: int) -> Callable[[int], bool]:
    """Sort key: partners behind the same switches first, because no other part is between them."""
    mine = atoms.wiring.leaf[node]
    return lambda partner: not bool((atoms.wiring.leaf[partner] == mine).all())


def _of_shared(atoms: PartIds, atom: int, results: Sequence[TrialResult], good: set[int]) -> Iterator[Trial]:
    """Flows of earlier tests that cross the part, and as many from the same tests that do not, each as a pair on its rail alone."""
    inside: dict[Trial, None] = {}
    beside: dict[Trial, None] = {}
    for result in results:
        if not result.ran or (len(inside) >= HOPS and len(beside) >= HOPS):
            continue
        for a, b in result.trial.hops:
            if a not in good or b not in good:
                continue
            for pair in _flows(atoms, result.trial, a, b):
                depends = channels(atoms, pair)
                kind = inside if any(atom in parts for parts in depends.values()) else beside
                if len(kind) < HOPS and not any(set(pair.nodes) & set(chosen.nodes) for chosen in kind):
                    kind.setdefault(pair)
    yield from inside
    yield from beside


def _flows(atoms: PartIds, trial: Trial, a: int, b: int) -> list[Trial]:
    if trial.over == "nvlink":
        return [Trial((a, b), over="nvlink")]
    return [Trial((a, b), rails=(slot,), shift=trial.shift) for slot in trial.rails or range(atoms.wiring.slots)]
