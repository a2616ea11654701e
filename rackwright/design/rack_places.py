"""Places of the halls for racks, block by block: a scalable unit stands in one hall where one has room for all of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog
from rackwright.design import placement_problems
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


FreePlaces = dict[str, deque[HallPlace]]
"""Places of every hall without a rack, in the order of rows and positions."""


def assign(
    site: Site, catalog: Catalog, blocks: Sequence[Block], rack_by_pool: Mapping[str, str], far: Sequence[str]
) -> dict[str, HallPlace]:
    """A place for every rack, in the order of the halls, for those `far` from the end of the last.

    `rack_by_pool` holds the rack SKUs of pools that declare one. Raises `ProblemsError` where there is no room.
    """
    racks = {hall.name: catalog.racks[hall.rack] for hall in site.facility.halls}
    pinned = {
        place.rack: HallPlace(place.hall, place.row, place.position, racks[place.hall]) for place in site.facility.racks
    }
    names = [name for block in blocks for name in block.names]
    rack_names = set(names)
    unknown = [i for i, place in enumerate(site.facility.racks) if place.rack not in rack_names]
    if unknown:
        raise ProblemsError([placement_problems.no_such_rack(site, i, names) for i in unknown])
    occupied = {(place.hall, place.row, place.position) for place in pinned.values()}
    free: FreePlaces = {hall: deque() for hall in racks}
    for place in _places(site, racks):
        if (place.hall, place.row, place.position) not in occupied:
            free[place.hall].append(place)
    by_name = dict(pinned)
    apart = set(far) - set(pinned)
    for block in blocks:
        loose = [name for name in block.names if name not in pinned and name not in apart]
        by_name.update(zip(loose, _take_places(site, free, block, loose, len(names)), strict=True))
    last = [place for places in free.values() for place in places][::-1]
    if len(last) < len(apart):
        raise placement_problems.no_room(site, len(names))
    by_name.update(zip([name for name in far if name in apart], last, strict=False))
    order = {hall.name: i for i, hall in enumerate(site.facility.halls)}
    for name, at in by_name.items():
        sku = rack_by_pool.get(name.rpartition("-r")[0])
        if sku:
            by_name[name] = replace(at, rack=catalog.racks[sku])
    ranked = sorted(by_name.items(), key=lambda item: (order[item[1].hall], item[1].row, item[1].position))
    return dict(ranked)


def _take_places(site: Site, free: FreePlaces, block: Block, loose: Sequence[str], racks: int) -> list[HallPlace]:
    """The first places for the racks `loose` of `block`, in one hall where one has room; they are free no longer."""
    count, pool = len(loose), block.pool
    if pool and pool.hall:
        chosen = [place for place in free[pool.hall] if pool.row in (None, place.row)][:count]
        if len(chosen) < count:
            raise placement_problems.hall_too_small(site, pool, loose, len(chosen))
        gone = {(place.row, place.position) for place in chosen}
        free[pool.hall] = deque(place for place in free[pool.hall] if (place.row, place.position) not in gone)
        return chosen
    roomy = next((places for places in free.values() if len(places) >= count), None)
    if roomy is not None:
        return [roomy.popleft() for _ in range(count)]
    if sum(map(len, free.values())) < count:
        raise placement_problems.no_room(site, racks)
    split: list[HallPlace] = []
    for places in free.values():
        split += [places.popleft() for _ in range(min(count - len(split), len(places)))]
    return split


def _places(site: Site, racks: dict[str, Rack]) -> Iterator[HallPlace]:
    for hall in site.facility.halls:
        for row in range(1, hall.rows + 1):
            for position in range(1, hall.racks_per_row + 1):
                yield HallPlace(hall.name, row, position, racks[hall.name])
