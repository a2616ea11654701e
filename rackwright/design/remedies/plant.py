"""Remedies for the rules of cooling: more units on a loop, other temperatures, containment, leak detection, fewer servers in a rack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rackwright.catalog import Catalog, remedy_ranges, sizing_practice
from rackwright.design.remedies.knob import ChangeTerms, Knob, short, values
from rackwright.design.remedies.power import fewer_servers, most_times
from rackwright.model.facility import CduSet, CrahSet
from rackwright.model.site import Site


def more_cdus(site: Site, _: Catalog) -> Iterator[Knob]:
    """More CDUs in each set, or a set for a hall without one."""
    if liquid := site.facility.liquid:
        yield from _more_units("facility.liquid.cdus", liquid.cdus, site)


def more_crahs(site: Site, _: Catalog) -> Iterator[Knob]:
    """More air handlers in each set, or a set for a hall without one."""
    if air := site.facility.air:
        yield from _more_units("facility.air.crahs", air.crahs, site)


def _more_units(field: str, sets: Sequence[CduSet | CrahSet], site: Site) -> Iterator[Knob]:
    for at, units in enumerate(sets):
        yield values(f"{field}[{at}].count", range(units.count + 1, units.count * most_times() + 4))
    first = site.facility.halls[0].name
    served = {units.hall or first for units in sets}
    for hall in site.facility.halls:
        if hall.name not in served:
            sku, most = sets[0].sku, max(units.count for units in sets) * most_times()
            yield values(f"{field}[{len(sets)}]", [{"sku": sku, "count": n, "hall": hall.name} for n in range(1, most)])


def no_cdu_lost(site: Site, _: Catalog) -> Iterator[Knob]:
    """No promise about the loss of a CDU."""
    if site.facility.liquid and site.facility.liquid.survive.cdus:
        yield values("facility.liquid.survive.cdus", [0], ChangeTerms.PROMISE)


def no_pump_lost(site: Site, _: Catalog) -> Iterator[Knob]:
    """No promise about the loss of a pump."""
    if site.facility.liquid and site.facility.liquid.survive.pumps:
        yield values("facility.liquid.survive.pumps", [0], ChangeTerms.PROMISE)


def no_crah_lost(site: Site, _: Catalog) -> Iterator[Knob]:
    """No promise about the loss of an air handler."""
    if site.facility.air and site.facility.air.survive.crahs:
        yield values("facility.air.survive.crahs", [0], ChangeTerms.PROMISE)


def peer_cdus(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """Each CDU of the catalog in the place of those of a set."""
    for at, units in enumerate(site.facility.liquid.cdus if site.facility.liquid else ()):
        for sku in catalog.cdus:
            if sku != units.sku:
                yield values(f"facility.liquid.cdus[{at}].sku", [sku])


def cooler_coolant(site: Site, _: Catalog) -> Iterator[Knob]:
    """Coolant that is supplied cooler."""
    if liquid := site.facility.liquid:
        yield values("facility.liquid.supply_celsius", _cooler(liquid.supply_celsius))


def warmer_coolant(site: Site, _: Catalog) -> Iterator[Knob]:
    """Coolant that is supplied warmer, so that it stays apart from the water of the building."""
    if liquid := site.facility.liquid:
        warmest = sizing_practice.load().warmest_coolant_celsius
        options = [short(liquid.supply_celsius + k) for k in range(1, remedy_ranges.load().most_kelvin + 1)]
        yield values("facility.liquid.supply_celsius", [option for option in options if option <= warmest])


def cooler_air(site: Site, _: Catalog) -> Iterator[Knob]:
    """Air that is supplied cooler, hall by hall."""
    for at, hall in enumerate(site.facility.halls):
        yield values(f"facility.halls[{at}].supply_air_celsius", _cooler(hall.supply_air_celsius))


def _cooler(celsius: float) -> list[float]:
    return [short(celsius - kelvin) for kelvin in range(1, remedy_ranges.load().most_kelvin + 1)]


def containment(site: Site, _: Catalog) -> Iterator[Knob]:
    """Aisles that are contained."""
    if site.facility.air:
        for kind in ("hot-aisle", "cold-aisle"):
            if kind != site.facility.air.containment:
                yield values("facility.air.containment", [kind])


def leak_detection(site: Site, _: Catalog) -> Iterator[Knob]:
    """Leak detectors at racks, at rows, at both."""
    liquid = site.facility.liquid
    if liquid and liquid.leak_detection != "rack-and-row":
        yield values("facility.liquid.leak_detection", ["rack-and-row"])


def more_air_per_rack(site: Site, _: Catalog) -> Iterator[Knob]:
    """Places of which more heat is carried away."""
    for at, hall in enumerate(site.facility.halls):
        if most := hall.air_kw_per_rack:
            yield values(
                f"facility.halls[{at}].air_kw_per_rack", range(most + 1, most * most_times()), ChangeTerms.BUILDING
            )


BY_RULE = {
    "cdu_capacity": (more_cdus, peer_cdus, no_cdu_lost),
    "crah_capacity": (more_crahs, no_crah_lost),
    "pump_loss": (more_cdus, peer_cdus, no_pump_lost),
    "loop_pressure": (peer_cdus,),
    "rack_density": (fewer_servers, more_air_per_rack, containment),
    "containment": (containment,),
    "coolant_supply": (cooler_coolant,),
    "facility_water": (warmer_coolant,),
    "supply_air": (cooler_air,),
    "leak_detection": (leak_detection,),
}
