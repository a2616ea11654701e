"""The cables and switches that traffic between two switches may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rackwright.isolate.wiring import NumberedWiring

Routes = Mapping[str, Mapping[str, str]]
"""Static routing: switch -> switch of the destination -> cable that it takes."""
Side = tuple[int, ...]
ADAPTIVE = "adaptive routing: a flow spreads over all cables of its shortest ways"
STATIC = "static routing: every flow takes the cables of the table that was given"
MOST_HOPS = 8
"""A route that has not arrived by then runs in a circle."""


@dataclass(frozen=True)
class Bundle:
    """Cables or switches over which a flow spreads."""

    kind: str
    """cable or switch."""
    members: tuple[int, ...]

    def __hash__(self) -> int:
        """Cached: bundles of a large fabric have thousands of members and are looked up for every flow."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.members))


class SwitchPaths:
    """Paths between switches, each computed once."""

    def __init__(self, wiring: NumberedWiring, routes: Routes | None = None) -> None:
        self._wiring, self._routes = wiring, routes
        self._next = {switch: {a: tuple(b) for a, b in far.items()} for switch, far in wiring.neighbours().items()}
        self._number = {name: index for index, name in enumerate(wiring.switches)}
        self._cable = {name: index for index, name in enumerate(wiring.cables)}
        self._known: dict[tuple[int, int], tuple[Bundle, ...] | None] = {}
        self._one: dict[Bundle, Bundle] = {}
        self._middle: dict[tuple[Side, Side], tuple[tuple[int, int], ...]] = {}
        self._above: dict[tuple[Side, Side], tuple[Side, Side, tuple[Bundle, ...]]] = {}
        self.assumption = STATIC if routes is not None else ADAPTIVE

    def between(self, a: int, b: int) -> tuple[Bundle, ...] | None:
        """What a flow from `a` to `b` crosses besides the two; empty on one switch, None without a path."""
        if a == b:
            return ()
        key = (a, b) if self._routes is not None else (min(a, b), max(a, b))
        if key not in self._known:
            bundles = self._routed(*key) if self._routes is not None else self._spread(*key)
            self._known[key] = (
                None if bundles is None else tuple(self._one.setdefault(bundle, bundle) for bundle in bundles)
            )
        return self._known[key]

    def _spread(self, a: int, b: int) -> tuple[Bundle, ...] | None:
        """Shortest paths of a folded Clos, a mesh or a dragonfly: direct, over one switch, over two, over three."""
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
        """Members of `near` and `far` with a common core, and what is between them; the same for all leaves of two pods."""
        above_near = {core for switch in near for core in self._next[switch]}
        above_far = {core for switch in far for core in self._next[switch]}
        cores = sorted((above_near & above_far) - {*near, *far})
        sides = [
            tuple(switch for switch in side if any(core in self._next[switch] for core in cores))
            for side in (near, far)
        ]
        if not cores:
            return near, far, ()
        up = [tuple(c for switch in side for core in cores for c in self._next[switch].get(core, ())) for side in sides]
        switches = [Bundle("switch", tuple(group)) for group in (*sides, cores)]
        bundles = (*(Bundle("cable", cables) for cables in up), *switches)
        return sides[0], sides[1], tuple(self._one.setdefault(bundle, bundle) for bundle in bundles)

    def _fan(self, switch: int, above: list[int]) -> tuple[Bundle, ...]:
        return (Bundle("cable", tuple(cable for neighbour in above for cable in self._next[switch][neighbour])),)

    def _routed(self, a: int, b: int) -> tuple[Bundle, ...] | None:
        bundles: list[Bundle] = []
        at = a
        for _ in range(MOST_HOPS):
            name = (self._routes or {}).get(self._wiring.switches[at], {}).get(self._wiring.switches[b])
            if name is None or name not in self._cable:
                return None
            cable = self._cable[name]
            near, far = self._wiring.ends[cable].tolist()
            if at not in (near, far):
                return None
            bundles.append(Bundle("cable", (cable,)))
            at = far if near == at else near
            if at == b:
                return tuple(bundles)
            bundles.append(Bundle("switch", (at,)))
        return None
