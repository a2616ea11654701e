"""Which faults are played together, and on which nodes. Pure: the same seed gives the same scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from rackwright.twin import faults
from rackwright.twin.campaign.objects import named
from rackwright.twin.faults import Fault, Injected
from rackwright.twin.hardware.state import State

MOST_TOGETHER = 5
"""Faults of one combination."""
SHARED = 0.25
"""How often a fault lands on a node that another fault of the scene has hit already."""
SAME_NOISE = 25
"""Combinations in a row that share the noise of their healthy readings, so that little of a site is rendered anew for each."""


@dataclass(frozen=True)
class Scene:
    """One state of the site."""

    name: str
    injected: tuple[Injected, ...]
    seed: int = 0
    """Of the noise of healthy readings."""


def scenes(
    healthy: State, nodes: Sequence[str], known: Mapping[str, Fault], *, combinations: int, seeds: int, seed: int = 0
) -> list[Scene]:
    """Healthy sites, each fault of `known` alone, random combinations, in that order; `nodes` are accelerator nodes of `healthy`."""
    green = [Scene(f"healthy {number}", (), number) for number in range(seeds)]
    alone = [Scene(name, (_injected(healthy, fault, nodes[: fault.nodes]),)) for name, fault in known.items()]
    chance = Random(seed)  # noqa: S311 - nothing secret is drawn
    return [*green, *alone, *(_combination(number, healthy, known, nodes, chance) for number in range(combinations))]


def _undone(healthy: State, injected: list[Injected], one: Injected) -> bool:
    """Whether `one` and a fault of `injected` cannot be there together: an adapter that is missing is in no wrong mode.

    They break the same object of a node, or set the same thing: then what is left depends on which comes last.
    """
    same = any(set(other.nodes) & set(one.nodes) and other.names & one.names for other in injected)
    return same or faults.apply_faults(healthy, [*injected, one]) != faults.apply_faults(healthy, [one, *injected])


def _injected(healthy: State, fault: Fault, nodes: Sequence[str]) -> Injected:
    return Injected(fault, tuple(nodes), named(fault.names, healthy.machines[nodes[0]]))


def _combination(
    number: int, healthy: State, known: Mapping[str, Fault], nodes: Sequence[str], chance: Random
) -> Scene:
    free = chance.sample(list(nodes), len(nodes))
    hit: list[str] = []
    injected: list[Injected] = []
    for name in chance.sample(list(known), min(len(known), chance.randint(2, MOST_TOGETHER))):
        fault = known[name]
        shares = len(hit) >= fault.nodes and chance.random() < SHARED
        if not shares and len(free) < fault.nodes:
            continue
        chosen = chance.sample(hit, fault.nodes) if shares else [free.pop() for _ in range(fault.nodes)]
        one = _injected(healthy, fault, chosen)
        if shares and _undone(healthy, injected, one):
            continue
        hit += [node for node in chosen if node not in hit]
        injected.append(one)
    names = ", ".join(one.fault.name for one in injected)
    return Scene(f"combination {number}: {names}", tuple(injected), number // SAME_NOISE)
