"""Cooling that cannot work whatever the racks hold: unknown parts, reversed temperatures, more declared losses than units.

Checks that depend on the heat of the racks are design rules instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog, hall_practice
from rackwright.model.facility import CduSet, CrahSet, Liquid
from rackwright.model.site import Site
from rackwright.spec.crosscheck.parts import unknown
from rackwright.spec.crosscheck.problem import problem
from rackwright.spec.fields import nearest_word

LIQUID, AIR = "facility.liquid", "facility.air"


def plant(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Parts, halls and survive rules of ``facility.liquid`` and ``facility.air``.

    Liquid-cooled servers in a site without coolant can be expanded; a design rule says what they lack.
    """
    facility = site.facility
    if facility.liquid is not None:
        yield from _parts(site, catalog, facility.liquid)
    if facility.air is not None:
        yield from _sets(site, f"{AIR}.crahs", "crah", facility.air.crahs, catalog)
        yield from _survivable_losses(site, f"{AIR}.survive.crahs", facility.air.survive.crahs, facility.air.crahs)


def air(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Supply air that no equipment is made for."""
    practice = hall_practice.load()
    least, most = practice.coldest_supply_air_celsius, practice.warmest_supply_air_celsius
    for i, hall in enumerate(site.facility.halls):
        if not least <= hall.supply_air_celsius <= most:
            message = f"no equipment is made for the air of {hall.name}"
            expected, actual = f"{least:g} to {most:g} °C", f"{hall.supply_air_celsius:g} °C"
            step = "write the temperature of the air at the inlets, in degrees Celsius"
            path = f"facility.halls[{i}].supply_air_celsius"
            yield problem(path, "impossible_air", message, expected, actual, step)


def temperatures(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Temperatures of the coolant and of the water that cools it."""
    if site.facility.liquid is not None:
        yield from _temperatures(site.facility.liquid, catalog)


def _parts(site: Site, catalog: Catalog, liquid: Liquid) -> Iterator[Problem]:
    yield from _sets(site, f"{LIQUID}.cdus", "cdu", liquid.cdus, catalog)
    yield from _survivable_losses(site, f"{LIQUID}.survive.cdus", liquid.survive.cdus, liquid.cdus)
    yield from unknown(f"{LIQUID}.coolant", liquid.coolant, "coolant", catalog.coolants, catalog)
    fewest = min(
        (catalog.cdus[cdu_set.sku].pumps for cdu_set in liquid.cdus if cdu_set.sku in catalog.cdus), default=None
    )
    if fewest is not None and liquid.survive.pumps > fewest:
        expected, actual = f"at most the {fewest} pumps of a CDU", str(liquid.survive.pumps)
        message = "more pumps may fail than a CDU has"
        yield problem(f"{LIQUID}.survive.pumps", "no_pump_left", message, expected, actual, "lower survive.pumps")


def _sets(site: Site, path: str, kind: str, sets: Sequence[CduSet | CrahSet], catalog: Catalog) -> Iterator[Problem]:
    halls = [hall.name for hall in site.facility.halls]
    for i, unit_set in enumerate(sets):
        yield from unknown(f"{path}[{i}].sku", unit_set.sku, kind, catalog.of_kind(kind), catalog)
        if unit_set.hall is not None and unit_set.hall not in halls:
            guess = nearest_word(unit_set.hall, halls)
            step = f"did you mean {guess}?" if guess else "name a hall of facility.halls"
            message = f"there is no hall {unit_set.hall}"
            yield problem(
                f"{path}[{i}].hall", "unknown_hall", message, f"one of {', '.join(halls)}", unit_set.hall, step
            )


def _survivable_losses(site: Site, path: str, survive: int, sets: Sequence[CduSet | CrahSet]) -> Iterator[Problem]:
    """A hall that may lose all its units at once; the hall with the fewest is named."""
    count: Counter[str] = Counter()
    for unit_set in sets:
        count[unit_set.hall or site.facility.halls[0].name] += unit_set.count
    fewest, hall = min((number, hall) for hall, number in count.items())
    if survive >= fewest:
        kind = path.rpartition(".")[2]
        noun = kind.removesuffix("s").upper()
        expected = f"fewer than the {fewest} {noun}{'' if fewest == 1 else 's'} of {hall}"
        step = f"add to count in {hall}, or lower survive.{kind}"
        yield problem(path, "nothing_left", f"no {noun} would be left in {hall}", expected, str(survive), step)


def _temperatures(liquid: Liquid, catalog: Catalog) -> Iterator[Problem]:
    water, supply = liquid.facility_water, liquid.supply_celsius
    path = f"{LIQUID}.supply_celsius"
    if water and water.supply_celsius >= supply:
        expected, actual = f"colder than the coolant, {supply:g} °C", f"{water.supply_celsius:g} °C"
        message = "facility water is not colder than the coolant it cools"
        step = "lower facility_water.supply_celsius, or raise supply_celsius"
        yield problem(f"{LIQUID}.facility_water.supply_celsius", "no_approach", message, expected, actual, step)
    practice, coolant = hall_practice.load(), catalog.coolants.get(liquid.coolant)
    coldest = min([supply, *([water.supply_celsius] if water else [])])
    if coolant and coldest < coolant.freezes_at_celsius + practice.freeze_margin_kelvin:
        least = coolant.freezes_at_celsius + practice.freeze_margin_kelvin
        expected = f"{least:g} °C or more, as {coolant.sku} freezes at {coolant.freezes_at_celsius:g} °C"
        step = "raise the temperature, or choose a coolant that freezes later"
        message = f"{coolant.sku} would freeze, or nearly so"
        cold = path if coldest == supply else f"{LIQUID}.facility_water.supply_celsius"
        yield problem(cold, "coolant_freezes", message, expected, f"{coldest:g} °C", step)
    if supply + liquid.delta_t_kelvin >= practice.boils_at_celsius:
        expected = f"a return below {practice.boils_at_celsius:g} °C"
        actual = f"{supply:g} °C + {liquid.delta_t_kelvin:g} K"
        step = "lower supply_celsius or delta_t_kelvin"
        yield problem(path, "coolant_boils", "the coolant would boil on its way back", expected, actual, step)
