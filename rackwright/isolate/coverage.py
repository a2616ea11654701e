"""The screens: few rounds that exercise every part of the wiring twice with different partners.

Neighbours first (the parts that they share show), then nodes that are far apart, then the arrangement that covers most of what is still uncovered: other strides, and shifts from rail to rail, without which the upper tiers of a rail-optimised fabric carry nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rackwright.isolate import proof
from rackwright.isolate.parts import PartIds
from rackwright.isolate.proof import CoverageProof
from rackwright.isolate.survivors import ExerciseCounts
from rackwright.isolate.trial import Trial
from rackwright.isolate.wiring import NONE

Round = tuple[Trial, ...]
MOST_STRIDES = 3
LEAST = 2
THREE = 3


@dataclass(frozen=True)
class Screens:
    """Rounds, and the proof of their coverage."""

    rounds: tuple[Round, ...]
    proof: CoverageProof


def screening_rounds(atoms: PartIds, groups: int, *, least_load: float, most_rounds: int) -> Screens:
    """At most `most_rounds` rounds over the fabric (and two over NVLink domains), of about `groups` groups each.

    Two rounds are always made; each further round must cover something new.
    """
    count = atoms.count
    groups = max(1, min(groups, count // LEAST))
    rounds = _first(count, groups)
    rounds += domains(atoms)
    tally = ExerciseCounts(atoms.wiring, atoms.paths)
    for round_ in rounds:
        tally.add(round_)
    wanting = proof.count_missing(tally, atoms, least_load)
    while wanting and len(rounds) < most_rounds:
        best, still_missing = _best(tally, atoms, groups, least_load, wanting)
        if best is None:
            break
        rounds.append(best)
        tally.add(best)
        wanting = still_missing
    return Screens(tuple(rounds), proof.prove_coverage(tally, atoms, least_load))


def _first(count: int, groups: int) -> list[Round]:
    """Neighbours, then nodes far apart; of three nodes the pairs, because a ring of all has the same partners each time."""
    if count == THREE:
        return _pairs(0)
    return [neighbours(count, groups), ring(far_apart(count, groups, 0))] if count >= LEAST else []


def _pairs(shift: int) -> list[Round]:
    """The three pairs of three nodes, one per round."""
    return [(Trial(pair, shift=shift),) for pair in ((0, 1), (1, 2), (0, 2))]


def _best(
    tally: ExerciseCounts, atoms: PartIds, groups: int, least_load: float, wanting: int
) -> tuple[Round | None, int]:
    """The candidate after which the fewest tests are missing, and their number; None if no candidate helps.

    A candidate is skipped if it sends from one plane of the fabric to another: no switch joins them, so that such a
    flow would fail on healthy parts.
    """
    best: Round | None = None
    for round_ in _candidates(atoms, groups):
        joined = tally.joined(round_)
        if joined.pathless > tally.pathless:
            continue
        still_missing = proof.count_missing(joined, atoms, least_load)
        if still_missing < wanting:
            best, wanting = round_, still_missing
        if not wanting:
            break
    return best, wanting


def _candidates(atoms: PartIds, groups: int) -> Iterator[Round]:
    """Strides on the rails themselves, then across rails; near rails and far ones, because planes lie at fixed distances."""
    slots = atoms.wiring.slots
    shifts = list(dict.fromkeys([0, 1, slots // 2, slots - 1])) if slots > 1 else [0]
    for shift in shifts:
        if atoms.count == THREE:
            yield from _pairs(shift)
            continue
        for stride in range(1, MOST_STRIDES + 1):
            yield ring(far_apart(atoms.count, groups, stride), shift)


def neighbours(count: int, groups: int) -> Round:
    """Nodes that are placed together, so that faults of what they share (a leaf, a loop) show."""
    return tuple(Trial(tuple(range(count * index // groups, count * (index + 1) // groups))) for index in range(groups))


def far_apart(count: int, groups: int, stride: int) -> list[list[int]]:
    """Groups of nodes that are not neighbours; each `stride` mixes them differently."""
    mixed: list[list[int]] = [[] for _ in range(groups)]
    for node in range(count):
        mixed[(node + stride * (node // groups)) % groups].append(node)
    if min(len(group) for group in mixed) >= LEAST:
        return mixed
    return [list(range(start, count, groups)) for start in range(groups)]


def ring(groups: list[list[int]], shift: int = 0) -> Round:
    """A test per group, in whose ring nodes of the first and the second half alternate, so that flows leave their
    neighbourhood.
    """
    return tuple(Trial(_turns(group), shift=shift) for group in groups)


def _turns(group: list[int]) -> tuple[int, ...]:
    half = (len(group) + 1) // 2
    first, second = group[:half], group[half:]
    return tuple(
        node for turn in range(half) for side in (first, second) if turn < len(side) for node in side[turn : turn + 1]
    )


def domains(atoms: PartIds) -> list[Round]:
    """Tests of every complete NVLink domain, then of its odd and even nodes; empty if NVLink stays inside the nodes."""
    of: dict[int, list[int]] = {}
    for node, domain in enumerate(atoms.wiring.domain.tolist()):
        if domain != NONE:
            of.setdefault(domain, []).append(node)
    full = tuple(Trial(tuple(nodes), over="nvlink") for nodes in of.values() if len(nodes) >= LEAST)
    halves = tuple(
        Trial(tuple(half), over="nvlink")
        for nodes in of.values()
        for half in ((nodes[::2], nodes[1::2]) if len(nodes) >= 2 * LEAST else (nodes,))
        if len(half) >= LEAST
    )
    return [round_ for round_ in (full, halves) if round_]
