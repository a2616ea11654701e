"""Which packages a group of nodes needs: what is asked for, what that depends on, and what is left to the hosts. A pin holds for everything it matches; what the mirror has already is kept while it
still fits, so a second run chooses the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key

from rackwright.base.errors import Problem
from rackwright.mirror.offers import Listing, Need, Offer
from rackwright.mirror.requested import Group
from rackwright.mirror.rpm_index import streams
from rackwright.model.artifact import Wanted

Compare = Callable[[str, str], int]
TESTS: dict[str, Callable[[int], bool]] = {
    "": lambda _order: True,
    "<<": lambda order: order < 0,
    "<": lambda order: order <= 0,
    "<=": lambda order: order <= 0,
    "=": lambda order: order == 0,
    ">=": lambda order: order >= 0,
    ">": lambda order: order >= 0,
    ">>": lambda order: order > 0,
}
"""What a relation says of the order of two versions; ``<`` and ``>`` are Debian's old words for ``<=`` and ``>=``."""
SHOWN = 6
"""Versions that a problem lists."""


@dataclass
class Resolution:
    """What came of one group."""

    chosen: dict[tuple[str, str, str], tuple[Offer, list[str]]] = field(default_factory=dict)
    """Offers with who asked for them, by name, version and architecture."""
    left: dict[str, str] = field(default_factory=dict)
    """Requirements that no upstream carries -> the package that has them."""
    problems: list[Problem] = field(default_factory=list)


class Resolver:
    """The search for one group."""

    def __init__(self, group: Group, listings: Sequence[Listing], compare: Compare) -> None:
        self._group = group
        self._listings = listings
        self._compare = compare
        self._order = cmp_to_key(compare)
        self._queue: deque[Offer] = deque()
        self._names: dict[str, list[Offer]] = {}
        self.found = Resolution()

    def run(self) -> Resolution:
        """The resolution, all problems at once."""
        for wanted in self._group.packages:
            self._ask(wanted)
        while self._queue:
            offer = self._queue.popleft()
            for group in offer.needs:
                self._meet(group, offer)
        return self.found

    def _ask(self, wanted: Wanted) -> None:
        if wanted.name.startswith("@"):
            known_streams = set().union(*(streams(listing.modules) for listing in self._listings))
            if wanted.name not in known_streams:
                self.found.problems.append(self._no_stream(wanted, sorted(known_streams)))
            return
        known = self._named(wanted.name)
        fitting = [one for one in known if wanted.matches(wanted.name, one.version)]
        if not known and not wanted.version:
            fitting = self._providing(Need(wanted.name))
        if fitting:
            self._take(self._best(fitting), f"{wanted.pool or '-'}/{wanted.role}")
        else:
            self.found.problems.append(self._not_carried(wanted, known))

    def _meet(self, group: Iterable[Need], asker: Offer) -> None:
        """Take the first alternative that can be had; nothing when one is already chosen."""
        needs = list(group)
        if any(self._met(need) for need in needs):
            return
        excluded: list[Offer] = []
        for need in needs:
            fitting = [one for one in self._named(need.name) if self._fits(need, one.version)]
            allowed = [one for one in fitting if self._group.allows(one.name, one.version)]
            allowed = allowed or self._providing(need)
            if allowed:
                self._take(self._best(allowed), f"needed by {asker.name}")
                return
            excluded += fitting
        said = " | ".join(map(str, needs))
        if excluded:
            self.found.problems.append(self._pinned_away(said, asker, excluded))
        else:
            self.found.left.setdefault(said, asker.name)

    def _met(self, need: Need) -> bool:
        return any(self._stands_for(need, one) for one in self._names.get(need.name, ()))

    def _stands_for(self, need: Need, offer: Offer) -> bool:
        if offer.name == need.name:
            return self._fits(need, offer.version)
        return any(
            one.name == need.name and (not need.relation or (one.version and self._fits(need, one.version)))
            for one in offer.provides
        )

    def _fits(self, need: Need, version: str) -> bool:
        return not need.relation or TESTS[need.relation](self._compare(version, need.version))

    def _named(self, name: str) -> list[Offer]:
        return [one for listing in self._listings for one in listing.named(name)]

    def _providing(self, need: Need) -> list[Offer]:
        return [
            one
            for listing in self._listings
            for one in listing.providing(need.name)
            if self._stands_for(need, one) and self._group.allows(one.name, one.version)
        ]

    def _best(self, offers: list[Offer]) -> Offer:
        """What the mirror has, else what comes from the place for it, else the newest; the first upstream among equals."""
        return max(offers, key=lambda one: (one.kept, one.home, self._order(one.version)))

    def _take(self, offer: Offer, asker: str) -> None:
        key = (offer.name, offer.version, offer.architecture)
        if key in self.found.chosen:
            askers = self.found.chosen[key][1]
            if asker not in askers:
                askers.append(asker)
            return
        self.found.chosen[key] = (offer, [asker])
        self._queue.append(offer)
        for name in {offer.name, *(one.name for one in offer.provides)}:
            self._names.setdefault(name, []).append(offer)

    def _not_carried(self, wanted: Wanted, known: Sequence[Offer]) -> Problem:
        versions = sorted({one.version for one in known}, key=self._order, reverse=True)
        upstreams = ", ".join(dict.fromkeys(one.upstream for one in self._listings)) or "none"
        return Problem(
            place=self._group.title,
            path=f"{wanted.role}.{wanted.name}",
            message="no upstream carries this package" + (" at this version" if versions else ""),
            expected=f"{wanted.name} {wanted.version or '(any version)'}",
            found=f"versions {', '.join(versions[:SHOWN])}" if versions else f"looked in: {upstreams}",
            next_step="ask for a version that there is (software in the site file), or name an upstream that has it",
            code="mirror.not_carried",
        )

    def _no_stream(self, wanted: Wanted, known: Sequence[str]) -> Problem:
        module = wanted.name.partition(":")[0]
        same = [one for one in known if one.partition(":")[0] == module]
        return Problem(
            place=self._group.title,
            path=f"{wanted.role}.{wanted.name}",
            message="no upstream carries this module stream",
            expected=wanted.name,
            found=", ".join(same or known) or "no module streams",
            next_step="ask for a driver branch that has a stream (software in the site file), or name another upstream",
            code="mirror.not_carried",
        )

    def _pinned_away(self, said: str, asker: Offer, excluded: Sequence[Offer]) -> Problem:
        return Problem(
            place=self._group.title,
            path=f"{asker.name}.{excluded[0].name}",
            message=f"{asker.name} {asker.version} needs a package that a pin keeps at another version",
            expected=said,
            found=f"the pin excludes {', '.join(dict.fromkeys(one.version for one in excluded))}",
            next_step="bring the versions of the software bill together: `rackwright compat` says which go together",
            code="mirror.pinned_away",
        )
