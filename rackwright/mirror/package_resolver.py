"""Chooses the packages of a group: the required ones, their dependencies, and requirements that the hosts must meet.

A pin holds for everything that it matches. Packages of the mirror stay while they fit, so that a second run chooses the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key

from rackwright.base.errors import Problem
from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.package_offers import Listing, Need, Offer
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
    """Result for one group."""

    chosen: dict[tuple[str, str, str], tuple[Offer, list[str]]] = field(default_factory=dict)
    """Offers with who asked for them, by name, version and architecture."""
    unmet: dict[str, str] = field(default_factory=dict)
    """Requirements that no upstream carries -> the package that has them."""
    problems: list[Problem] = field(default_factory=list)


class Resolver:
    """The search for one group."""

    def __init__(self, group: InstallGroup, listings: Sequence[Listing], compare: Compare) -> None:
        self._group = group
        self._listings = listings
        self._compare = compare
        self._order = cmp_to_key(compare)
        self._queue: deque[Offer] = deque()
        self._names: dict[str, list[Offer]] = {}
        self.resolution = Resolution()

    def run(self) -> Resolution:
        """The resolution, all problems at once."""
        for required in self._group.packages:
            self._resolve(required)
        while self._queue:
            offer = self._queue.popleft()
            for group in offer.needs:
                self._meet(group, offer)
        return self.resolution

    def _resolve(self, required: Wanted) -> None:
        if required.name.startswith("@"):
            known_streams = set().union(*(streams(listing.modules) for listing in self._listings))
            if required.name not in known_streams:
                self.resolution.problems.append(self._no_stream(required, sorted(known_streams)))
            return
        offers = self._offers_named(required.name)
        fitting = [offer for offer in offers if required.matches(required.name, offer.version)]
        if not offers and not required.version:
            fitting = self._providing(Need(required.name))
        if fitting:
            self._take(self._best_offer(fitting), f"{required.pool or '-'}/{required.role}")
        else:
            self.resolution.problems.append(self._not_carried(required, offers))

    def _meet(self, group: Iterable[Need], asker: Offer) -> None:
        """Take the first alternative that can be had; nothing when one is already chosen."""
        needs = list(group)
        if any(self._is_met(need) for need in needs):
            return
        excluded: list[Offer] = []
        for need in needs:
            fitting = [offer for offer in self._offers_named(need.name) if self._version_fits(need, offer.version)]
            allowed = [offer for offer in fitting if self._group.allows(offer.name, offer.version)]
            allowed = allowed or self._providing(need)
            if allowed:
                self._take(self._best_offer(allowed), f"needed by {asker.name}")
                return
            excluded += fitting
        requirement = " | ".join(map(str, needs))
        if excluded:
            self.resolution.problems.append(self._pinned_away(requirement, asker, excluded))
        else:
            self.resolution.unmet.setdefault(requirement, asker.name)

    def _is_met(self, need: Need) -> bool:
        return any(self._stands_for(need, offer) for offer in self._names.get(need.name, ()))

    def _stands_for(self, need: Need, offer: Offer) -> bool:
        if offer.name == need.name:
            return self._version_fits(need, offer.version)
        return any(
            provided.name == need.name
            and (not need.relation or (provided.version and self._version_fits(need, provided.version)))
            for provided in offer.provides
        )

    def _version_fits(self, need: Need, version: str) -> bool:
        return not need.relation or TESTS[need.relation](self._compare(version, need.version))

    def _offers_named(self, name: str) -> list[Offer]:
        return [offer for listing in self._listings for offer in listing.offers_named(name)]

    def _providing(self, need: Need) -> list[Offer]:
        return [
            offer
            for listing in self._listings
            for offer in listing.offers_providing(need.name)
            if self._stands_for(need, offer) and self._group.allows(offer.name, offer.version)
        ]

    def _best_offer(self, offers: list[Offer]) -> Offer:
        """The best offer: of the mirror, else of the upstream meant for the package, else the newest; the first upstream among equals."""
        return max(offers, key=lambda offer: (offer.preferred, offer.home, self._order(offer.version)))

    def _take(self, offer: Offer, asker: str) -> None:
        key = (offer.name, offer.version, offer.architecture)
        if key in self.resolution.chosen:
            askers = self.resolution.chosen[key][1]
            if asker not in askers:
                askers.append(asker)
            return
        self.resolution.chosen[key] = (offer, [asker])
        self._queue.append(offer)
        for name in {offer.name, *(provided.name for provided in offer.provides)}:
            self._names.setdefault(name, []).append(offer)

    def _not_carried(self, required: Wanted, offers: Sequence[Offer]) -> Problem:
        versions = sorted({offer.version for offer in offers}, key=self._order, reverse=True)
        upstreams = ", ".join(dict.fromkeys(listing.upstream for listing in self._listings)) or "none"
        return Problem(
            place=self._group.title,
            path=f"{required.role}.{required.name}",
            message="no upstream carries this package" + (" at this version" if versions else ""),
            expected=f"{required.name} {required.version or '(any version)'}",
            found=f"versions {', '.join(versions[:SHOWN])}" if versions else f"looked in: {upstreams}",
            next_step="ask for a version that there is (software in the site file), name an upstream that has it, or build what nobody packages "
            "(`rackwright mirror build`)",
            code="mirror.not_carried",
        )

    def _no_stream(self, required: Wanted, available: Sequence[str]) -> Problem:
        module = required.name.partition(":")[0]
        same = [stream for stream in available if stream.partition(":")[0] == module]
        return Problem(
            place=self._group.title,
            path=f"{required.role}.{required.name}",
            message="no upstream carries this module stream",
            expected=required.name,
            found=", ".join(same or available) or "no module streams",
            next_step="ask for a driver branch that has a stream (software in the site file), or name another upstream",
            code="mirror.not_carried",
        )

    def _pinned_away(self, requirement: str, asker: Offer, excluded: Sequence[Offer]) -> Problem:
        return Problem(
            place=self._group.title,
            path=f"{asker.name}.{excluded[0].name}",
            message=f"{asker.name} {asker.version} needs a package that a pin keeps at another version",
            expected=requirement,
            found=f"the pin excludes {', '.join(dict.fromkeys(offer.version for offer in excluded))}",
            next_step="bring the versions of the software bill together: `rackwright compat` says which go together",
            code="mirror.pinned_away",
        )
