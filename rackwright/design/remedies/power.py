"""Remedies for the rules of power: feeds, circuits, UPS, busways, rack PDUs, fewer servers in a rack."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.catalog import Catalog, remedy_ranges, sizing_practice
from rackwright.design.remedies.knob import ChangeTerms, FieldChange, Knob, values
from rackwright.model.site import Site

POWER = "facility.power"


def most_times() -> int:
    """Upper limit for growth: a feed, a hall or a set of equal parts is enlarged at most this many times."""
    return remedy_ranges.load().most_times


def larger_feeds(site: Site, _: Catalog) -> Iterator[Knob]:
    """Feeds that carry more, in the steps in which they are ordered."""
    power, step = site.facility.power, sizing_practice.load().feed_step_kw
    first = (power.feed_kw // step + 1) * step
    yield values(f"{POWER}.feed_kw", range(first, power.feed_kw * most_times() + step, step))


def further_feed(site: Site, _: Catalog) -> Iterator[Knob]:
    """One or two feeds more, with letters that no feed has."""
    feeds = list(site.facility.power.feeds)
    letters = [letter for letter in sizing_practice.load().feed_letters if letter not in feeds][:2]
    yield values(f"{POWER}.feeds", [feeds + letters[: at + 1] for at in range(len(letters))])


def fewer_lost(name: str) -> Knob:
    """The promise to survive no loss of `name`."""
    return values(f"{POWER}.survive.{name}", [0], ChangeTerms.PROMISE)


def no_feed_lost(site: Site, _: Catalog) -> Iterator[Knob]:
    """No promise about the loss of a feed."""
    if site.facility.power.survive.feeds:
        yield fewer_lost("feeds")


def no_supply_lost(site: Site, _: Catalog) -> Iterator[Knob]:
    """No promise about the loss of a power supply."""
    if site.facility.power.survive.psus:
        yield fewer_lost("psus")


def fewer_servers(site: Site, _: Catalog) -> Iterator[Knob]:
    """Fewer servers in the racks of a pool."""
    for at, pool in enumerate(site.pools):
        yield values(f"pools[{at}].servers_per_rack", range(pool.servers_per_rack - 1, 0, -1))


def larger_circuit(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """A rack circuit of more amps, with the rack PDU for it where the site declares one."""
    power = site.facility.power
    steps = []
    for choice in sizing_practice.load().circuits:
        if choice.volts == power.circuit.volts and choice.amps > power.circuit.amps and choice.pdu in catalog.pdus:
            changes = [FieldChange(f"{POWER}.circuit.amps", choice.amps)]
            changes += [FieldChange(f"{POWER}.rack_pdu", choice.pdu)] if power.rack_pdu else []
            steps.append(tuple(changes))
    yield Knob(tuple(steps))


def more_circuits(site: Site, _: Catalog) -> Iterator[Knob]:
    """Places that take more circuits."""
    power = site.facility.power
    if most := power.circuits_per_rack:
        feeds = len(power.feeds)
        yield values(f"{POWER}.circuits_per_rack", range(most + 1, most * most_times() + feeds), ChangeTerms.BUILDING)


def peer_pdus(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """Each rack PDU of the catalog in the place of the declared one."""
    declared = site.facility.power.rack_pdu
    for sku in catalog.pdus if declared else ():
        if sku != declared:
            yield values(f"{POWER}.rack_pdu", [sku])


def more_ups(site: Site, _: Catalog) -> Iterator[Knob]:
    """More UPS modules behind each feed."""
    if ups := site.facility.power.ups:
        most = max(sizing_practice.load().most_ups_per_feed, ups.per_feed * most_times())
        yield values(f"{POWER}.ups.per_feed", range(ups.per_feed + 1, most + 1))


def peer_ups(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """Each UPS of the catalog in the place of the declared one."""
    if ups := site.facility.power.ups:
        for sku in catalog.ups:
            if sku != ups.sku:
                yield values(f"{POWER}.ups.sku", [sku])


def peer_busways(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """Each busway of the catalog in the place of the declared one."""
    declared = site.facility.power.busway
    for sku in catalog.busways if declared else ():
        if sku != declared:
            yield values(f"{POWER}.busway", [sku])


def shorter_rows(site: Site, _: Catalog) -> Iterator[Knob]:
    """Halls with as many places in shorter rows, so that fewer racks hang on a busway."""
    for at, hall in enumerate(site.facility.halls):
        steps = []
        for length in range(hall.racks_per_row - 1, hall.racks_per_row // 2, -1):
            rows = -(-hall.rows * hall.racks_per_row // length)
            row = FieldChange(f"facility.halls[{at}].racks_per_row", length)
            steps.append((row, FieldChange(f"facility.halls[{at}].rows", rows)))
        yield Knob(tuple(steps), ChangeTerms.BUILDING)


BY_RULE = {
    "feed_capacity": (larger_feeds, further_feed, no_feed_lost),
    "power_circuit": (larger_circuit, fewer_servers, further_feed, no_feed_lost),
    "rack_circuits": (larger_circuit, fewer_servers, more_circuits),
    "outlets": (peer_pdus, larger_circuit, fewer_servers),
    "phase_balance": (larger_circuit, fewer_servers),
    "ups_capacity": (more_ups, peer_ups),
    "busway_capacity": (peer_busways, shorter_rows, fewer_servers),
}
