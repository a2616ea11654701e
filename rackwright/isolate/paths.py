"""Which cables and switches traffic between two switches may take. With adaptive
routing a flow spreads over all cables of the shortest ways, so these are one bundle: no test tells them apart, and none of them can be
missed by all flows. With a table every bundle is a single cable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rackwright.isolate.wiring import Wiring

Routes = Mapping[str, Mapping[str, str]]
"""Static routing: switch -> switch of the destination -> cable that it takes."""
Side = tuple[int, ...]
ADAPTIVE = "adaptive routing: a flow spreads over all cables of its shortest ways"
STATIC = "static routing: every flow takes the cables of the table that was given"
MOST_HOPS = 8
"""A table that has not arrived by then runs in a circle."""


@dataclass(frozen=True)
class Bundle:
    """Cables, or switches, over which a flow spreads."""

    kind: str
    """cable or switch."""
    members: tuple[int, ...]

    def __hash__(self) -> int:
        """Once: bundles of a large fabric have thousands of members, and are looked up for every flow."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.members))


class Paths:
    """Ways between switches, looked up once each."""

    def __init__(self, wiring: Wiring, routes: Routes | None = None) -> None:
        self._wiring, self._routes = wiring, routes
        self._next = {one: {a: tuple(b) for a, b in far.items()} for one, far in wiring.neighbours().items()}
        self._number = {name: index for index, name in enumerate(wiring.switches)}
        self._cable = {name: index for index, name in enumerate(wiring.cables)}
        self._known: dict[tuple[int, int], tuple[Bundle, ...] | None] = {}
        self._one: dict[Bundle, Bundle] = {}
        self._middle: dict[tuple[Side, Side], tuple[tuple[int, int], ...]] = {}
        self._above: dict[tuple[Side, Side], tuple[Side, Side, tuple[Bundle, ...]]] = {}
        self.assumption = STATIC if routes is not None else ADAPTIVE

    def between(self, a: int, b: int) -> tuple[Bundle, ...] | None:
        """What a flow from `a` to `b` crosses besides the two; empty on one switch, None without a way."""
        if a == b:
            return ()
        key = (a, b) if self._routes is not None else (min(a, b), max(a, b))
        if key not in self._known:
            found = self._routed(*key) if self._routes is not None else self._spread(*key)
            self._known[key] = None if found is None else tuple(self._one.setdefault(one, one) for one in found)
        return self._known[key]

    def _spread(self, a: int, b: int) -> tuple[Bundle, ...] | None:
        """Shortest ways of a folded Clos, a mesh or a dragonfly: direct, over one switch, over two, over three."""
        near, far = self._next.get(a, {}), self._next.get(b, {})
        if b in near:
            return (Bundle("cable", near[b]),)
        common = sorted(near.keys() & far.keys())
        if common:
            return (*self._fan(a, common), *self._fan(b, common), Bundle("switch", tuple(common)))
        return self._over_two(a, b) or self._over_three(a, b)

    def _over_two(self, a: int, b: int) -> tuple[Bundle, ...] | None:
        sides = tuple(sorted(self._next.get(a, {}))), tuple(sorted(self._next.get(b, {})))
        if sides not in self._middle:
            self._middle[sides] = tuple((s, t) for s in sides[0] for t in sides[1] if t in self._next[s])
        middle = self._middle[sides]
        if not middle:
            return None
        starts, stops = sorted({s for s, _ in middle}), sorted({t for _, t in middle})
        cables = tuple(cable for s, t in middle for cable in self._next[s][t])
        switches = Bundle("switch", tuple(sorted({*starts, *stops})))
        return (*self._fan(a, starts), Bundle("cable", cables), *self._fan(b, stops), switches)

    def _over_three(self, a: int, b: int) -> tuple[Bundle, ...] | None:
        sides = tuple(sorted(self._next.get(a, {}))), tuple(sorted(self._next.get(b, {})))
        if sides not in self._above:
            self._above[sides] = self._upper(*sides)
        near, far, upper = self._above[sides]
        return (*self._fan(a, list(near)), *self._fan(b, list(far)), *upper) if upper else None

    def _upper(self, near: Side, far: Side) -> tuple[Side, Side, tuple[Bundle, ...]]:
        """Which of `near` and `far` have a core in common, and what is between them; the same for all leaves of two pods."""
        above_near = {core for one in near for core in self._next[one]}
        above_far = {core for one in far for core in self._next[one]}
        cores = sorted((above_near & above_far) - {*near, *far})
        sides = [tuple(one for one in side if any(core in self._next[one] for core in cores)) for side in (near, far)]
        if not cores:
            return near, far, ()
        up = [tuple(c for one in side for core in cores for c in self._next[one].get(core, ())) for side in sides]
        switches = [Bundle("switch", tuple(group)) for group in (*sides, cores)]
        bundles = (*(Bundle("cable", cables) for cables in up), *switches)
        return sides[0], sides[1], tuple(self._one.setdefault(one, one) for one in bundles)

    def _fan(self, switch: int, above: list[int]) -> tuple[Bundle, ...]:
        return (Bundle("cable", tuple(cable for one in above for cable in self._next[switch][one])),)

    def _routed(self, a: int, b: int) -> tuple[Bundle, ...] | None:
        found: list[Bundle] = []
        at = a
        for _ in range(MOST_HOPS):
            name = (self._routes or {}).get(self._wiring.switches[at], {}).get(self._wiring.switches[b])
            if name is None or name not in self._cable:
                return None
            cable = self._cable[name]
            one, other = self._wiring.ends[cable].tolist()
            if at not in (one, other):
                return None
            found.append(Bundle("cable", (cable,)))
            at = other if one == at else one
            if at == b:
                return tuple(found)
            found.append(Bundle("switch", (at,)))
        return None
