"""A wiring of any size for tests of isolation: rails in groups of nodes, leaves, spines."""

from __future__ import annotations

import numpy as np

from rackwright.isolate.conclude import conclude_isolation
from rackwright.isolate.conduct import conduct_isolation
from rackwright.isolate.coverage import screening_rounds
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.parts import PartIds
from rackwright.isolate.paths import SwitchPaths
from rackwright.isolate.play import SimulatedTester
from rackwright.isolate.search import groups_of
from rackwright.isolate.settings import isolation_settings
from rackwright.isolate.setup import PEERS
from rackwright.isolate.wiring import NumberedWiring
from rackwright.judge.limits import load

KNOWN = isolation_settings(load())


def wiring(nodes: int, slots: int = 2, per_leaf: int = 8, spines: int = 2, domain: int = 0) -> NumberedWiring:
    """Every `per_leaf` nodes have one leaf per rail, and every leaf has one cable per node of it, dealt over all spines."""
    units = -(-nodes // per_leaf)
    leaves = units * slots
    switches = [f"leaf-{at + 1}" for at in range(leaves)] + [f"spine-{at + 1}" for at in range(spines)]
    leaf = np.array([[(node // per_leaf) * slots + slot for slot in range(slots)] for node in range(nodes)], np.int64)
    ends = [(number, leaves + up % spines) for number in range(leaves) for up in range(per_leaf)]
    names = tuple(f"n{node + 1:03d}" for node in range(nodes))
    domains = -(-nodes // domain) if domain else 0
    return NumberedWiring(
        fabric="compute",
        nodes=names,
        accelerators=np.full(nodes, 8),
        rails=tuple(tuple(f"mlx5_{slot}" for slot in range(slots)) for _ in names),
        leaf=leaf,
        switches=tuple(switches),
        cables=tuple(f"{switches[leaf]}:{per_leaf + at % per_leaf + 1}" for at, (leaf, _) in enumerate(ends)),
        ends=np.array(ends, np.int64),
        domain=np.array([node // domain if domain else -1 for node in range(nodes)], np.int64),
        planes=tuple((f"nvswitch-{number + 1}a", f"nvswitch-{number + 1}b") for number in range(domains)),
    )


def atoms(nodes: int = 32, routes=None, **shape) -> PartIds:
    built = wiring(nodes, **shape)
    return PartIds(built, SwitchPaths(built, routes))


def isolation(built: PartIds, seed: int = 0) -> Isolation:
    groups = max(PEERS, groups_of(built.count, KNOWN.search))
    plan = screening_rounds(built, groups, least_load=KNOWN.load, most_rounds=KNOWN.screens)
    return Isolation(built, KNOWN, plan, seed=seed)


def played(built: PartIds, *faults: str, seed: int = 0, deadline: float | None = None, **options):
    """The verdict of an isolation in which each of `faults` loses 0.3, and the isolation."""
    search = isolation(built, seed)
    losses = {built.find(name): 0.3 for name in faults}
    conduct_isolation(search, SimulatedTester(built, losses, KNOWN.search.noise, seed=seed, **options), deadline)
    return conclude_isolation(search), search


def named(verdict) -> set[str]:
    """Everything found, as ``kind:name``; of one of several the first."""
    return {f"{fault.part.kind}:{fault.part.names[0]}" for fault in verdict.faulty_parts}
