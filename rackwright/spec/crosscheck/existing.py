"""Existing equipment: nothing listed twice, and no two devices in the same place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Racks, devices, addresses, cable ends and rack units that two entries claim."""
    standing = site.existing
    places = {place.rack: (place.hall, place.row, place.position) for place in site.facility.racks}
    for i, rack in enumerate(standing.racks):
        where = (rack.hall, rack.row, rack.position)
        if places.get(rack.rack, where) != where:
            expected = "the place where it stands: {} row {} position {}".format(*places[rack.rack])
            actual, step = f"{rack.hall} row {rack.row} position {rack.position}", "remove one of the two"
            yield problem(
                f"existing.racks[{i}]", "moved_rack", f"{rack.rack} has another place too", expected, actual, step
            )
    yield from _twice("racks", "rack", enumerate(rack.rack for rack in standing.racks))
    yield from _twice("devices", "device", enumerate(device.device for device in standing.devices))
    yield from _twice("plant", "device", enumerate(plant.device for plant in standing.plant))
    yield from _twice_listed("address", ((address.entry, address.address) for address in standing.addresses))
    yield from _twice(
        "cables", "cable end", ((i, end) for i, cable in enumerate(standing.cables) for end in (cable.a, cable.b))
    )
    yield from _twice("devices", "place", _units(site, catalog))


def _units(site: Site, catalog: Catalog) -> Iterator[tuple[int, str]]:
    """(entry, rack unit) for every unit that a device occupies; of unknown parts only the lowest."""
    for i, device in enumerate(site.existing.devices):
        part = catalog.servers.get(device.sku) or catalog.switches.get(device.sku)
        for unit in range(device.unit, device.unit + (part.rack_units if part else 1)):
            yield i, f"{device.rack} U{unit}"


def _twice(field: str, what: str, entries: Iterable[tuple[int, str]]) -> Iterator[Problem]:
    yield from _twice_listed(what, ((f"{field}[{i}]", name) for i, name in entries))


def _twice_listed(what: str, entries: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    reported = set()
    for entry, name in entries:
        earlier = first.setdefault(name, entry)
        if earlier != entry and (earlier, entry) not in reported:
            reported.add((earlier, entry))
            expected, actual = f"each {what} once", f"{name} in existing.{earlier} too"
            step = "remove one of the two, or write what stands anew: `rackwright export --to existing`"
            yield problem(f"existing.{entry}", "stands_twice", f"this {what} stands twice", expected, actual, step)
