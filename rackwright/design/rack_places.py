"""Places of the halls for racks, block by block: a scalable unit stands in one hall where one has room for all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog
from rackwright.design import placement_problems
from rackwright.model.facility import Hall
from rackwright.model.site import Pool, Site
from rackwright.model.sku import Rack


@dataclass(frozen=True)
class HallPlace:
    """One rack place of a hall; row and position count from 1."""

    hall: str
    row: int
    position: int
    rack: Rack


@dataclass(frozen=True)
class Block:
    """Racks that belong together: those of a scalable unit with its switches, or one that the whole site shares."""

    names: Sequence[str]
    pool: Pool | None = None
    """Pool of the unit; none for a rack of the whole site."""


class FreePlaces:
    """The free places of one hall. They are counted, not listed: a hall may have room for far more racks than there are."""

    def __init__(self, hall: Hall, rack: Rack, pinned: Iterable[HallPlace]) -> None:
        self._hall, self._rack = hall, rack
        self._used = {(place.row, place.position) for place in pinned if place.hall == hall.name}
        self._next = self.in_order(range(1, hall.rows + 1))

    def __len__(self) -> int:
        return self._hall.rows * self._hall.racks_per_row - len(self._used)

    def in_order(self, rows: Iterable[int], backwards: bool = False) -> Iterator[HallPlace]:
        """The free places of `rows`, in their order."""
        positions = range(1, self._hall.racks_per_row + 1)
        for row in rows:
            for position in reversed(positions) if backwards else positions:
                if (row, position) not in self._used:
                    yield HallPlace(self._hall.name, row, position, self._rack)

    def take(self, count: int, row: int | None = None) -> list[HallPlace]:
        """The first `count` free places, of `row` if given; fewer if there are not as many. They are no longer free."""
        places = list(islice(self._next if row is None else self.in_order([row]), count))
        self._used |= {(place.row, place.position) for place in places}
        return places

    def last(self) -> Iterator[HallPlace]:
        """The free places from the end of the hall."""
        return self.in_order(range(self._hall.rows, 0, -1), backwards=True)


def assign(
    site: Site, catalog: Catalog, blocks: Sequence[Block], rack_by_pool: Mapping[str, str], far: Sequence[str]
) -> dict[str, HallPlace]:
    """A place for every rack, in the order of the halls; racks in `far` get places from the end of the last hall.

    `rack_by_pool` holds the rack SKUs of pools that declare one. Raises `ProblemsError` if there are too few places.
    """
    racks = {hall.name: catalog.racks[hall.rack] for hall in site.facility.halls}
    standing = {
        place.rack: HallPlace(place.hall, place.row, place.position, racks[place.hall])
        for place in (*site.existing.racks, *site.facility.racks)
    }
    names = [name for block in blocks for name in block.names]
    rack_names = set(names)
    pinned = {name: place for name, place in standing.items() if name in rack_names}
    unknown = [i for i, place in enumerate(site.facility.racks) if place.rack not in rack_names]
    if unknown:
        raise ProblemsError([placement_problems.no_such_rack(site, i, names) for i in unknown])
    free = {hall.name: FreePlaces(hall, racks[hall.name], standing.values()) for hall in site.facility.halls}
    by_name = dict(pinned)
    apart = [name for name in far if name not in pinned]
    elsewhere = set(apart) | set(pinned)
    for block in blocks:
        loose = [name for name in block.names if name not in elsewhere]
        by_name.update(zip(loose, _take_places(site, free, block, loose, len(names)), strict=True))
    if sum(map(len, free.values())) < len(apart):
        raise placement_problems.no_room(site, len(names))
    last = (place for hall in reversed(free.values()) for place in hall.last())
    by_name.update(zip(apart, last, strict=False))
    order = {hall.name: i for i, hall in enumerate(site.facility.halls)}
    for name, at in by_name.items():
        sku = rack_by_pool.get(name.rpartition("-r")[0])
        if sku:
            by_name[name] = replace(at, rack=catalog.racks[sku])
    ranked = sorted(by_name.items(), key=lambda item: (order[item[1].hall], item[1].row, item[1].position))
    return dict(ranked)


def _take_places(
    site: Site, free: Mapping[str, FreePlaces], block: Block, loose: Sequence[str], racks: int
) -> list[HallPlace]:
    """The first places for the racks `loose` of `block`, in one hall if any has room for all; the places are no longer free."""
    count, pool = len(loose), block.pool
    if pool and pool.hall:
        chosen = free[pool.hall].take(count, pool.row)
        if len(chosen) < count:
            raise placement_problems.hall_too_small(site, pool, loose, len(chosen))
        return chosen
    roomy = next((places for places in free.values() if len(places) >= count), None)
    if roomy is not None:
        return roomy.take(count)
    if sum(map(len, free.values())) < count:
        raise placement_problems.no_room(site, racks)
    split: list[HallPlace] = []
    for places in free.values():
        split += places.take(count - len(split))
    return split
