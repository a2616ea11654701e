"""A wiring of any size for tests of isolation: rails in groups of nodes, leaves, spines."""

from __future__ import annotations

import numpy as np

from rackwright.isolate.conclude import conclude
from rackwright.isolate.conduct import conduct
from rackwright.isolate.coverage import screens
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.parts import PartIds
from rackwright.isolate.paths import Paths
from rackwright.isolate.play import SimulatedTester
from rackwright.isolate.search import groups_of
from rackwright.isolate.settings import isolation_settings
from rackwright.isolate.setup import PEERS
from rackwright.isolate.wiring import Wiring
from rackwright.judge.limits import load

KNOWN = isolation_settings(load())


def wiring(nodes: int, slots: int = 2, per_leaf: int = 8, spines: int = 2, domain: int = 0) -> Wiring:
    """Every `per_leaf` nodes have one leaf per rail, and every leaf has one cable per node of it, dealt over all spines."""
    units = -(-nodes // per_leaf)
    leaves = units * slots
    switches = [f"leaf-{at + 1}" for at in range(leaves)] + [f"spine-{at + 1}" for at in range(spines)]
    leaf = np.array([[(node // per_leaf) * slots + slot for slot in range(slots)] for node in range(nodes)], np.int64)
    ends = [(one, leaves + up % spines) for one in range(leaves) for up in range(per_leaf)]
    names = tuple(f"n{node + 1:03d}" for node in range(nodes))
    domains = -(-nodes // domain) if domain else 0
    return Wiring(
        fabric="compute",
        nodes=names,
        accelerators=np.full(nodes, 8),
        rails=tuple(tuple(f"mlx5_{slot}" for slot in range(slots)) for _ in names),
        leaf=leaf,
        switches=tuple(switches),
        cables=tuple(f"{switches[one]}:{per_leaf + at % per_leaf + 1}" for at, (one, _) in enumerate(ends)),
        ends=np.array(ends, np.int64),
        domain=np.array([node // domain if domain else -1 for node in range(nodes)], np.int64),
        planes=tuple((f"nvswitch-{one + 1}a", f"nvswitch-{one + 1}b") for one in range(domains)),
    )


def atoms(nodes: int = 32, routes=None, **shape) -> PartIds:
    made = wiring(nodes, **shape)
    return PartIds(made, Paths(made, routes))


def isolation(made: PartIds, seed: int = 0) -> Isolation:
    groups = max(PEERS, groups_of(made.count, KNOWN.search))
    plan = screens(made, groups, least_load=KNOWN.load, most_rounds=KNOWN.screens)
    return Isolation(made, KNOWN, plan, seed=seed)


def played(made: PartIds, *faults: str, seed: int = 0, deadline: float | None = None, **told):
    """The verdict of an isolation in which each of `faults` loses 0.3, and the isolation."""
    one = isolation(made, seed)
    losses = {made.find(name): 0.3 for name in faults}
    conduct(one, SimulatedTester(made, losses, KNOWN.search.noise, seed=seed, **told), deadline)
    return conclude(one), one


def named(verdict) -> set[str]:
    """Everything found, as ``kind:name``; of one of several the first."""
    return {f"{one.part.kind}:{one.part.names[0]}" for one in verdict.found}
