"""Reads the numbers of a search from the limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import log

from rackwright.base.errors import Problem, ProblemsError
from rackwright.isolate.common_loss import CommonLossRules
from rackwright.isolate.groups import RoundRules
from rackwright.isolate.hunt import HuntRules
from rackwright.isolate.noise import Noise
from rackwright.isolate.parts import KINDS
from rackwright.isolate.search_state import SearchSettings
from rackwright.model.check import Limit, Limits

SEARCH = (
    "sigma",
    "weakest",
    "disturbed",
    "steady",
    "prior",
    "largest",
    "worth",
    "missed",
    "blamed",
    "small",
    "sets",
    "sweeps",
    "intermittent",
    "proven",
    "doubted",
    "unexplained",
    "quiet",
    "hunt_rounds",
    "hunt_worth",
    "usual",
    "alike",
    "common",
    "beyond",
    "confidence",
)
WIRED = ("load", "screens", "sure", "tries")
NAMES = (*SEARCH, *WIRED, "minutes", "chance")
SIZES = ("pair", "group")
PAIR = 2
MOST_FAULTY = 0.25
"""Share of faulty nodes above which testing nodes one by one is no worse than testing groups."""


@dataclass(frozen=True)
class IsolationSettings:
    """The settings of an isolation over a wiring besides those of the search among nodes."""

    search: SearchSettings
    chance: Mapping[str, float]
    """Prior fault probability by kind of part."""
    load: float
    screens: int
    pair_minutes: float
    """Minutes of a test of two nodes."""
    group_minutes: float
    """Minutes of a test of more nodes."""
    sure: float
    tries: int

    def expecting(self, faulty: int, nodes: int) -> IsolationSettings:
        """The settings for a fleet in which this many nodes are expected to be faulty: fewer and larger groups where few are, and more rounds."""
        least = log(2.0) / self.search.rules.largest  # groups as large as they may be; a lower prior would only be rash
        share = min(MOST_FAULTY, max(faulty / nodes, least))
        scale = share / self.search.prior
        chance = {kind: min(MOST_FAULTY, prior * scale) for kind, prior in self.chance.items()}
        return replace(self, search=replace(self.search, prior=share), chance=chance)

    def of_a_test(self, nodes: int) -> float:
        """Minutes of a test of this many nodes."""
        return self.pair_minutes if nodes <= PAIR else self.group_minutes


def search_settings(limits: Limits) -> SearchSettings:
    """The settings of the search. Raises ProblemsError with every number that no limit row gives."""
    number = _numbers({name: limits.find(f"isolation.{name}") for name in SEARCH})
    return SearchSettings(
        noise=Noise(number["sigma"], number["weakest"], number["disturbed"], number["steady"]),
        prior=number["prior"],
        rules=RoundRules(int(number["largest"]), number["worth"]),
        missed=number["missed"],
        blamed=number["blamed"],
        small=number["small"],
        sets=int(number["sets"]),
        sweeps=int(number["sweeps"]),
        intermittent=number["intermittent"],
        hunt=HuntRules(
            number["proven"],
            number["doubted"],
            number["unexplained"],
            int(number["quiet"]),
            int(number["hunt_rounds"]),
            number["hunt_worth"],
        ),
        common=CommonLossRules(number["usual"], number["alike"], number["common"], number["beyond"]),
        confidence=number["confidence"],
    )


def isolation_settings(limits: Limits) -> IsolationSettings:
    """All settings of an isolation. Raises ProblemsError with every number that no limit row gives."""
    search = search_settings(limits)
    chance = {f"chance {kind}": limits.find("isolation.chance", kind=kind) for kind in KINDS}
    minutes = {f"minutes {size}": limits.find("isolation.minutes", size=size) for size in SIZES}
    number = _numbers({**{name: limits.find(f"isolation.{name}") for name in WIRED}, **chance, **minutes})
    return IsolationSettings(
        search=search,
        chance={kind: number[f"chance {kind}"] for kind in KINDS},
        load=number["load"],
        screens=int(number["screens"]),
        pair_minutes=number["minutes pair"],
        group_minutes=number["minutes group"],
        sure=number["sure"],
        tries=int(number["tries"]),
    )


def _numbers(limits: Mapping[str, Limit | None]) -> dict[str, float]:
    missing = [name for name, limit in limits.items() if limit is None or not isinstance(limit.value, int | float)]
    if missing:
        raise ProblemsError([_problem(name) for name in missing])
    return {
        name: float(limit.value) for name, limit in limits.items() if limit and isinstance(limit.value, int | float)
    }


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
