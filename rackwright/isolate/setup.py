"""Makes everything that an isolation needs from a design and the limits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from rackwright.isolate import rounds
from rackwright.isolate.coverage import Screens, screening_rounds
from rackwright.isolate.parts import PartIds
from rackwright.isolate.paths import Routes, SwitchPaths
from rackwright.isolate.search import groups_of
from rackwright.isolate.settings import IsolationSettings, isolation_settings
from rackwright.isolate.trial import Trial
from rackwright.isolate.wiring import number_wiring
from rackwright.model.check import Limits
from rackwright.model.design import Design

PEERS = 3
"""Fewest groups of a screen: the reading of a group is compared with those of others."""


@dataclass(frozen=True)
class IsolationSetup:
    """A wiring, its part ids, and its screens."""

    atoms: PartIds
    settings: IsolationSettings
    screens: Screens


def set_up(
    design: Design,
    limits: Limits,
    *,
    fabric: str = "",
    only: Collection[str] | None = None,
    routes: Routes | None = None,
    expected: int | None = None,
    soak: int = 0,
    seed: int = 0,
) -> IsolationSetup:
    """`expected`: faulty nodes that are thought of, by default the usual share of all; `soak`: further rounds of all nodes, their order shuffled by `seed`.

    UsageError for a fabric that is not there; ProblemsError with every number that no limit gives.
    """
    settings = isolation_settings(limits)
    nodes_and_cables = number_wiring(design, fabric, only)
    settings = settings if expected is None else settings.expecting(expected, len(nodes_and_cables.nodes))
    atoms = PartIds(nodes_and_cables, SwitchPaths(nodes_and_cables, routes))
    groups = max(PEERS, groups_of(atoms.count, settings.search))
    screens = screening_rounds(atoms, groups, least_load=settings.load, most_rounds=settings.screens)
    stress = rounds.shuffled(atoms.count, max(1, min(groups, atoms.count // rounds.PAIR)), soak, seed)
    soaked = tuple(tuple(Trial(tuple(group)) for group in round_) for round_ in stress)
    return IsolationSetup(atoms, settings, replace(screens, rounds=screens.rounds + soaked))
