"""Which faults are played together, and on which nodes. Pure: the same seed gives the same scenes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rackwright.twin import faults
from rackwright.twin.faults import Injected

MOST_TOGETHER = 5
"""Faults of one combination."""
SHARED = 0.25
"""How often a fault lands on a node that another fault of the scene has hit already."""


@dataclass(frozen=True)
class Scene:
    """One state of the site."""

    name: str
    injected: tuple[Injected, ...]
    seed: int = 0
    """Of the noise of healthy readings."""


def scenes(nodes: Sequence[str], *, combinations: int, seeds: int, seed: int = 0) -> list[Scene]:
    """Healthy sites, each fault alone, random combinations, in that order; `nodes` are accelerator nodes."""
    known = list(faults.of_acceptance())
    healthy = [Scene(f"healthy {number}", (), number) for number in range(seeds)]
    alone = [Scene(name, tuple(faults.choose([name], nodes))) for name in known]
    chance = Random(seed)  # noqa: S311 - nothing secret is drawn
    return [*healthy, *alone, *(_combination(number, known, nodes, chance) for number in range(combinations))]


def _combination(number: int, known: Sequence[str], nodes: Sequence[str], chance: Random) -> Scene:
    free = chance.sample(list(nodes), len(nodes))
    hit: list[str] = []
    named: set[str] = set()
    injected = []
    for name in chance.sample(list(known), chance.randint(2, MOST_TOGETHER)):
        needs = faults.known()[name].nodes
        objects = faults.known()[name].names
        # One object is broken once: an adapter that is not there is in no wrong mode.
        shares = len(hit) >= needs and chance.random() < SHARED and not named & objects
        if not shares and len(free) < needs:
            continue
        chosen = chance.sample(hit, needs) if shares else [free.pop() for _ in range(needs)]
        named |= objects
        hit += [node for node in chosen if node not in hit]
        injected.append(Injected(faults.known()[name], tuple(chosen)))
    names = ", ".join(one.fault.name for one in injected)
    return Scene(f"combination {number}: {names}", tuple(injected), number)
