"""Remedies for the rules of racks and halls: other racks, fewer servers in a rack, more places."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.catalog import Catalog, sizing_practice
from rackwright.design.remedies.knob import ChangeTerms, FieldChange, Knob, values
from rackwright.design.remedies.power import fewer_servers, most_times
from rackwright.model.facility import Hall
from rackwright.model.site import Site


def peer_racks(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """Each rack of the catalog in the place of that of a pool, or of a hall."""
    places = [(f"facility.halls[{at}].rack", hall.rack) for at, hall in enumerate(site.facility.halls)]
    places += [(f"pools[{at}].rack", pool.rack) for at, pool in enumerate(site.pools) if pool.rack]
    for field, declared in places:
        for sku in catalog.racks:
            if sku != declared:
                yield values(field, [sku])


def stronger_floor(site: Site, _: Catalog) -> Iterator[Knob]:
    """A floor that carries more below each rack."""
    step = sizing_practice.load().floor_step_kg
    for at, hall in enumerate(site.facility.halls):
        first, most = hall.floor_load_kg_per_rack + step, hall.floor_load_kg_per_rack * most_times()
        yield values(f"facility.halls[{at}].floor_load_kg_per_rack", range(first, most, step), ChangeTerms.BUILDING)


def more_places(site: Site, _: Catalog) -> Iterator[Knob]:
    """More rows, or longer rows, of a hall."""
    for at, hall in enumerate(site.facility.halls):
        for name in ("rows", "racks_per_row"):
            declared = getattr(hall, name)
            yield values(
                f"facility.halls[{at}].{name}", range(declared + 1, declared * most_times() + 1), ChangeTerms.BUILDING
            )


def free_places(site: Site, _: Catalog) -> Iterator[Knob]:
    """Racks with a fixed place that the hall does not have, or that two want, put on the last free ones."""
    halls = {hall.name: hall for hall in site.facility.halls}
    used: set[tuple[str, int, int]] = set()
    changes: list[FieldChange] = []
    for at, rack in enumerate(site.facility.racks):
        hall, place = halls.get(rack.hall), (rack.hall, rack.row, rack.position)
        if hall and (place in used or rack.row > hall.rows or rack.position > hall.racks_per_row):
            place = _last_free(hall, used | {(r.hall, r.row, r.position) for r in site.facility.racks})
            names = ("row", "position")
            changes += [
                FieldChange(f"facility.racks[{at}].{name}", value) for name, value in zip(names, place[1:], strict=True)
            ]
        used.add(place)
    if changes:
        yield Knob((tuple(changes),))


def _last_free(hall: Hall, used: set[tuple[str, int, int]]) -> tuple[str, int, int]:
    places = ((hall.name, row, at) for row in range(hall.rows, 0, -1) for at in range(hall.racks_per_row, 0, -1))
    return next((place for place in places if place not in used), (hall.name, hall.rows, hall.racks_per_row))


BY_RULE = {
    "rack_weight": (fewer_servers, peer_racks),
    "floor_load": (fewer_servers, stronger_floor),
    "rack_units": (fewer_servers, peer_racks),
    "rack_overlap": (fewer_servers, peer_racks),
    "rack_depth": (peer_racks,),
    "rack_place": (free_places, more_places),
    "unit_halls": (more_places,),
    "hall_full": (more_places,),
}
