"""Reads the numbers of a search from the limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import log

from rackwright.base.errors import Problem, ProblemsError
from rackwright.isolate.groups import Rules
from rackwright.isolate.noise import Noise
from rackwright.isolate.parts import KINDS
from rackwright.isolate.search import Settings
from rackwright.model.check import Limit, Limits

SEARCH = ("sigma", "weakest", "disturbed", "steady", "prior", "largest", "worth", "missed", "blamed", "sets", "sweeps")
WIRED = ("load", "screens", "sure", "tries")
NAMES = (*SEARCH, *WIRED, "minutes", "chance")
SIZES = ("pair", "group")
PAIR = 2
MOST_FAULTY = 0.25
"""Where more are faulty, testing nodes one by one is no worse than groups."""


@dataclass(frozen=True)
class Wired:
    """What an isolation over a wiring needs besides the search among nodes."""

    search: Settings
    chance: Mapping[str, float]
    """By kind of part, before any test."""
    load: float
    screens: int
    pair_minutes: float
    """Of a test of two nodes."""
    group_minutes: float
    """Of a test of more."""
    sure: float
    tries: int

    def expecting(self, faulty: int, nodes: int) -> Wired:
        """The same for a fleet of which so many nodes are thought faulty: fewer and larger groups where few are, and more rounds."""
        least = log(2.0) / self.search.rules.largest  # groups as large as they may be; a lower prior would only be rash
        share = min(MOST_FAULTY, max(faulty / nodes, least))
        scale = share / self.search.prior
        chance = {kind: min(MOST_FAULTY, one * scale) for kind, one in self.chance.items()}
        return replace(self, search=replace(self.search, prior=share), chance=chance)

    def of_a_test(self, nodes: int) -> float:
        """Minutes that a test of so many nodes takes."""
        return self.pair_minutes if nodes <= PAIR else self.group_minutes


def settings(limits: Limits) -> Settings:
    """ProblemsError with every number that no row gives."""
    number = _numbers({name: limits.find(f"isolation.{name}") for name in SEARCH})
    return Settings(
        noise=Noise(number["sigma"], number["weakest"], number["disturbed"], number["steady"]),
        prior=number["prior"],
        rules=Rules(int(number["largest"]), number["worth"]),
        missed=number["missed"],
        blamed=number["blamed"],
        sets=int(number["sets"]),
        sweeps=int(number["sweeps"]),
    )


def wired(limits: Limits) -> Wired:
    """Everything; ProblemsError with every number that no row gives."""
    search = settings(limits)
    chance = {f"chance {kind}": limits.find("isolation.chance", kind=kind) for kind in KINDS}
    minutes = {f"minutes {size}": limits.find("isolation.minutes", size=size) for size in SIZES}
    number = _numbers({**{name: limits.find(f"isolation.{name}") for name in WIRED}, **chance, **minutes})
    return Wired(
        search=search,
        chance={kind: number[f"chance {kind}"] for kind in KINDS},
        load=number["load"],
        screens=int(number["screens"]),
        pair_minutes=number["minutes pair"],
        group_minutes=number["minutes group"],
        sure=number["sure"],
        tries=int(number["tries"]),
    )


def _numbers(found: Mapping[str, Limit | None]) -> dict[str, float]:
    missing = [name for name, limit in found.items() if limit is None or not isinstance(limit.value, int | float)]
    if missing:
        raise ProblemsError([_problem(name) for name in missing])
    return {name: float(limit.value) for name, limit in found.items() if limit and isinstance(limit.value, int | float)}


def _problem(name: str) -> Problem:
    return Problem(
        place="validators/limits",
        path=f"isolation.{name}",
        message="no row gives this number",
        expected="a number with source and date",
        found="nothing",
        next_step="add the row to validators/limits/isolation.yaml",
        code="isolate.no_number",
    )
