"""Which tests tell one explanation from another, when the question is no longer which node but what. Candidates put one suspect with good company:
a node with a reference, half of its rails, a pair alone, two nodes whose flow crosses a suspected switch or cable and two whose flow does not.
Those are taken whose outcome splits the explanations best.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from rackwright.isolate.exercise import channels
from rackwright.isolate.hypotheses import Fits
from rackwright.isolate.parts import Atoms
from rackwright.isolate.splitting import Splitting
from rackwright.isolate.trial import Told, Trial
from rackwright.isolate.wiring import NONE

SUSPECTS = 12
HOPS = 4
"""Flows that are tried per suspect that nodes share."""
DOUBTED = 1e-3
PAIR = 2


def tests(
    atoms: Atoms, fits: Fits, told: Sequence[Told], partners: Sequence[int], ready_for: Callable[[Trial], bool], *,
    busy: Collection[int], showing: Sequence[Callable[[Trial], bool]],
) -> list[Trial]:  # fmt: skip
    """Tests without a common node and without `busy` ones; none when nothing more can be told apart.

    `ready_for`: whether a test may be asked once more. `showing`: per part that is sure by one test alone which tests can be the second; one of them
    is taken whatever it tells.
    """
    rails_are_read = any(one.rails for one in told)
    ready = [one for one in dict.fromkeys(_candidates(atoms, fits, told, partners)) if ready_for(one)]
    taken = Splitting(atoms, fits, rails_are_read=rails_are_read).most_telling(ready, set(busy))
    used = {*busy, *(node for one in taken for node in one.nodes)}
    for can_show in showing:
        for one in ready:
            if not used & set(one.nodes) and can_show(one):
                taken.append(one)
                used |= set(one.nodes)
    return taken


def _candidates(atoms: Atoms, fits: Fits, told: Sequence[Told], partners: Sequence[int]) -> Iterator[Trial]:
    doubted = [group for group, share in fits.groups().items() if share > DOUBTED]
    for group in doubted[:SUSPECTS]:
        atom = group[0]
        if len(group) > 1:
            yield from _halves(atoms, atom, told)
        if atoms.kind(atom) == "pair":
            yield from _of_pair(atoms.ends(atom), partners)
        elif atoms.owner(atom) != NONE:
            yield from _of_node(atoms, atoms.owner(atom), group, partners)
        else:
            yield from _of_shared(atoms, atom, told, set(partners))


def _halves(atoms: Atoms, atom: int, told: Sequence[Told]) -> Iterator[Trial]:
    """Both halves of the smallest ring so far that was about it."""
    about = [one.trial for one in told if one.ran and len(one.trial.nodes) > PAIR]
    rings = [one for one in about if any(atom in parts for parts in channels(atoms, one).values())]
    if rings:
        ring = min(rings, key=lambda one: len(one.nodes))
        half = (len(ring.nodes) + 1) // 2
        for nodes in (ring.nodes[:half], ring.nodes[-half:]):
            yield Trial(nodes, ring.over, ring.rails, ring.shift)


def _of_pair(ends: tuple[int, int], partners: Sequence[int]) -> Iterator[Trial]:
    yield Trial(ends)
    others = [node for node in partners if node not in ends]
    for end, other in zip(ends, others, strict=False):
        yield Trial((end, other))


def _of_node(atoms: Atoms, node: int, group: tuple[int, ...], partners: Sequence[int]) -> Iterator[Trial]:
    """With a reference: on all rails, on half of those that are meant, and on all others."""
    rails = {slot: atoms.rail(node, slot) for slot in range(len(atoms.wiring.rails[node]))}
    own = [slot for slot, atom in rails.items() if atom in group]
    others = sorted((one for one in partners if one != node), key=_near(atoms, node))[:2]
    subsets = (own[::2], own[: (len(own) + 1) // 2], [slot for slot in rails if slot not in own])
    for other in others:
        yield Trial((node, other))
        for slots in subsets:
            if 0 < len(slots) < len(rails):
                yield Trial((node, other), rails=tuple(slots))
        if atoms.wiring.domain[node] != NONE and atoms.wiring.domain[node] == atoms.wiring.domain[other]:
            yield Trial((node, other), over="nvlink")


def _near(atoms: Atoms, node: int) -> Callable[[int], bool]:
    """Partners behind the same switches come first: nothing else is between."""
    mine = atoms.wiring.leaf[node]
    return lambda other: not bool((atoms.wiring.leaf[other] == mine).all())


def _of_shared(atoms: Atoms, atom: int, told: Sequence[Told], good: set[int]) -> Iterator[Trial]:
    """Flows of tests so far that cross it, and as many from the same tests that do not, each as a pair on its rail alone."""
    inside: dict[Trial, None] = {}
    beside: dict[Trial, None] = {}
    for one in told:
        if not one.ran or (len(inside) >= HOPS and len(beside) >= HOPS):
            continue
        for a, b in one.trial.hops:
            if a not in good or b not in good:
                continue
            for pair in _flows(atoms, one.trial, a, b):
                depends = channels(atoms, pair)
                kind = inside if any(atom in parts for parts in depends.values()) else beside
                if len(kind) < HOPS and not any(set(pair.nodes) & set(known.nodes) for known in kind):
                    kind.setdefault(pair)
    yield from inside
    yield from beside


def _flows(atoms: Atoms, trial: Trial, a: int, b: int) -> list[Trial]:
    if trial.over == "nvlink":
        return [Trial((a, b), over="nvlink")]
    return [Trial((a, b), rails=(slot,), shift=trial.shift) for slot in trial.rails or range(atoms.wiring.slots)]
