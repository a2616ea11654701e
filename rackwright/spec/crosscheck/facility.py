"""Halls, rack places, routes between halls, and feeds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.facility import Hall, RackPlace
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem
from rackwright.spec.fields import nearest_word

FEED = re.compile("[A-Za-z0-9]{1,8}")
"""Feeds name circuits and are printed on labels."""


def places(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Two racks in one place, and places that do not exist."""
    halls = {hall.name: hall for hall in site.facility.halls}
    rack_at: dict[tuple[str, int, int], str] = {}
    for path, rack_place in _rack_places(site):
        yield from _outside_hall(path, rack_place, halls)
        where = (rack_place.hall, rack_place.row, rack_place.position)
        if rack_at.get(where, rack_place.rack) != rack_place.rack:
            place = f"{rack_place.hall} row {rack_place.row} position {rack_place.position}"
            actual = f"{rack_at[where]} and {rack_place.rack} both in {place}"
            step = f"move {rack_place.rack} to another position"
            yield problem(path, "same_place", "two racks stand in one place", "one rack per place", actual, step)
        rack_at.setdefault(where, rack_place.rack)


def _rack_places(site: Site) -> Iterator[tuple[str, RackPlace]]:
    yield from ((f"existing.racks[{i}]", place) for i, place in enumerate(site.existing.racks))
    yield from ((f"facility.racks[{i}]", place) for i, place in enumerate(site.facility.racks))


def pool_places(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Pools in halls or rows that do not exist, and a row without its hall."""
    halls = {hall.name: hall for hall in site.facility.halls}
    for i, pool in enumerate(site.pools):
        hall = halls.get(pool.hall or "")
        if pool.hall and hall is None:
            yield _no_hall(f"pools[{i}].hall", pool.hall, list(halls))
        elif pool.row and hall is None:
            step = "declare hall beside it"
            yield problem(f"pools[{i}].row", "no_hall", "a row belongs to a hall", "a hall", "row alone", step)
        elif pool.row and hall and pool.row > hall.rows:
            message, expected = f"this row is outside {hall.name}", f"1 to {hall.rows}, as {hall.name} is declared"
            step = f"take another row, or enlarge {hall.name}"
            yield problem(f"pools[{i}].row", "outside_hall", message, expected, str(pool.row), step)


def routes(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Routes from or to halls that do not exist, within one hall, or declared twice."""
    halls = [hall.name for hall in site.facility.halls]
    first: dict[frozenset[str], int] = {}
    for i, route in enumerate(site.facility.routes):
        path, ends = f"facility.routes[{i}].halls", frozenset(route.halls)
        for at, name in enumerate(route.halls):
            if name not in halls:
                yield _no_hall(f"{path}[{at}]", name, halls)
        if len(ends) == 1:
            message, step = "a route joins two halls", "name another hall, or remove the route"
            yield problem(path, "same_hall", message, "two halls", f"{route.halls[0]} twice", step)
        elif ends in first:
            message, actual = "the route between these halls stands twice", f"facility.routes[{first[ends]}] is it too"
            yield problem(path, "duplicate_route", message, "one route for two halls", actual, "remove one")
        first.setdefault(ends, i)


def feeds(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Feeds that cannot be printed on a label, and losing as many feeds as there are."""
    power = site.facility.power
    for i, feed in enumerate(power.feeds):
        if not FEED.fullmatch(feed):
            expected = "1 to 8 letters and digits"
            yield problem(
                f"facility.power.feeds[{i}]", "bad_feed", "this cannot name a feed", expected, feed, "rename it"
            )
    if power.survive.feeds >= len(power.feeds):
        expected = f"fewer than the {len(power.feeds)} feeds of the site"
        step = "add a feed, or lower survive.feeds"
        actual = str(power.survive.feeds)
        yield problem("facility.power.survive.feeds", "no_feed_left", "no feed would be left", expected, actual, step)


def _outside_hall(path: str, rack_place: RackPlace, halls: dict[str, Hall]) -> Iterator[Problem]:
    hall = halls.get(rack_place.hall)
    if hall is None:
        yield _no_hall(f"{path}.hall", rack_place.hall, list(halls))
        return
    for field, value, most in (
        ("row", rack_place.row, hall.rows),
        ("position", rack_place.position, hall.racks_per_row),
    ):
        if value > most:
            expected = f"1 to {most}, as {hall.name} is declared"
            step = f"move the rack, or enlarge {hall.name}"
            message = f"this {field} is outside {hall.name}"
            yield problem(f"{path}.{field}", "outside_hall", message, expected, str(value), step)


def _no_hall(path: str, name: str, halls: Sequence[str]) -> Problem:
    guess = nearest_word(name, halls)
    step = f"did you mean {guess}?" if guess else "name a hall of facility.halls"
    return problem(path, "unknown_hall", f"there is no hall {name}", f"one of {', '.join(halls)}", name, step)
