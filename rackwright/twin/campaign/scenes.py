"""Draws combinations of faults and their nodes. Pure: the same seed gives the same scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from rackwright.twin import faults
from rackwright.twin.campaign.objects import named
from rackwright.twin.faults import Fault, Injected
from rackwright.twin.hardware.state import State

MOST_TOGETHER = 5
"""Largest number of faults in a combination."""
SHARED = 0.25
"""Probability that a fault hits a node that another fault of the scene has hit."""
SAME_NOISE = 25
"""Consecutive combinations with the same noise of healthy readings, so that little of a site is rendered again for each."""


@dataclass(frozen=True)
class Scene:
    """One state of the site."""

    name: str
    injected: tuple[Injected, ...]
    seed: int = 0
    """Seed of the noise of healthy readings."""


def scenes(
    healthy: State,
    nodes: Sequence[str],
    faults_by_name: Mapping[str, Fault],
    *,
    combinations: int,
    seeds: int,
    seed: int = 0,
) -> list[Scene]:
    """Healthy sites, each fault alone, then random combinations; `nodes` are accelerator nodes of `healthy`.

    `seed` selects the noise of readings and the random draws.
    """
    green = [Scene(f"healthy {number}", (), number) for number in range(seed, seed + seeds)]
    alone = [Scene(name, (_injected(healthy, fault, nodes[: fault.nodes]),)) for name, fault in faults_by_name.items()]
    chance = Random(seed)  # noqa: S311 - nothing secret is drawn
    return [
        *green,
        *alone,
        *(_combination(number, healthy, faults_by_name, nodes, chance) for number in range(combinations)),
    ]


def _exclude_each_other(healthy: State, injected: list[Injected], injection: Injected) -> bool:
    """Whether the faults cannot exist together, such as a missing adapter and one in the wrong mode.

    True if they break the same object of a node, set the same value, or one renumbers the object of the other.
    """
    rivals = [rival for rival in injected if set(rival.nodes) & set(injection.nodes)]
    same = any(rival.names & injection.names for rival in rivals)
    renumbered = any(
        _renumbers(healthy, *pair) for rival in rivals for pair in ((rival, injection), (injection, rival))
    )
    return same or renumbered or faults.undone(healthy, injected, injection)


def _renumbers(healthy: State, lost: Injected, named_fault: Injected) -> bool:
    """Whether `lost` removes an accelerator, so that tools renumber those behind it, and `named_fault` names an accelerator by number."""
    machine = faults.apply_faults(healthy, [lost]).machines[lost.nodes[0]]
    return any("{gpu[" in name for name in named_fault.fault.names) and not all(gpu.present for gpu in machine.gpus)


def _injected(healthy: State, fault: Fault, nodes: Sequence[str]) -> Injected:
    return Injected(fault, tuple(nodes), named(fault.names, healthy.machines[nodes[0]]))


def _combination(
    number: int, healthy: State, faults_by_name: Mapping[str, Fault], nodes: Sequence[str], chance: Random
) -> Scene:
    free = chance.sample(list(nodes), len(nodes))
    hit: list[str] = []
    injected: list[Injected] = []
    for name in chance.sample(list(faults_by_name), min(len(faults_by_name), chance.randint(2, MOST_TOGETHER))):
        fault = faults_by_name[name]
        shares = len(hit) >= fault.nodes and chance.random() < SHARED
        if not shares and len(free) < fault.nodes:
            continue
        chosen = chance.sample(hit, fault.nodes) if shares else [free.pop() for _ in range(fault.nodes)]
        injection = _injected(healthy, fault, chosen)
        if shares and _exclude_each_other(healthy, injected, injection):
            continue
        hit += [node for node in chosen if node not in hit]
        injected.append(injection)
    names = ", ".join(injection.fault.name for injection in injected)
    return Scene(f"combination {number}: {names}", tuple(injected), number // SAME_NOISE)
