"""Makes everything that an isolation needs from a design and the limits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rackwright.isolate.coverage import Screens, screens
from rackwright.isolate.parts import Atoms
from rackwright.isolate.paths import Paths, Routes
from rackwright.isolate.search import groups_of
from rackwright.isolate.settings import Wired, wired
from rackwright.isolate.wiring import wiring
from rackwright.model.check import Limits
from rackwright.model.design import Design

PEERS = 3
"""Groups of a screen at least: what a group reaches is compared with others."""


@dataclass(frozen=True)
class Ready:
    """A wiring with its screens."""

    atoms: Atoms
    known: Wired
    screens: Screens


def ready(
    design: Design,
    limits: Limits,
    *,
    fabric: str = "",
    only: Collection[str] | None = None,
    routes: Routes | None = None,
    expected: int | None = None,
) -> Ready:
    """`expected`: faulty nodes that are thought of, by default the usual share of all.

    UsageError for a fabric that is not there; ProblemsError with every number that no limit gives.
    """
    known = wired(limits)
    found = wiring(design, fabric, only)
    known = known if expected is None else known.expecting(expected, len(found.nodes))
    atoms = Atoms(found, Paths(found, routes))
    groups = max(PEERS, groups_of(atoms.count, known.search))
    return Ready(atoms, known, screens(atoms, groups, least_load=known.load, most_rounds=known.screens))
