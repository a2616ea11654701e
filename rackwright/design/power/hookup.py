"""The wiring of all racks: which pattern each has, and which devices fill its slots.

The taps of the racks of a row rotate over the phases, so that equal racks are plugged alike and their feed is still loaded
evenly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rackwright.catalog import Catalog
from rackwright.design import naming
from rackwright.design.power import names
from rackwright.design.power.capacity import PHASES
from rackwright.design.power.caps import after_loss
from rackwright.design.power.cords import PowerSlot, Shelves
from rackwright.design.power.rack_wiring import Pattern, wire_rack
from rackwright.design.power.shelves import shelf_count
from rackwright.design.power.terms import Terms, reaching, terms
from rackwright.model.facility import Hall, Power
from rackwright.model.plant import PowerShelf
from rackwright.model.sku import Rack

if TYPE_CHECKING:  # placement imports this package for the number of shelves of a rack
    from rackwright.design.placement import PlacedDevice, SiteLayout


@dataclass(frozen=True, eq=False)
class Hookup:
    """Columns over the racks that hold devices, in the order of their places."""

    terms: Terms
    racks: list[str]
    pattern: list[int]
    turn: list[int]
    """Phases by which the tap of the rack is rotated."""
    above: list[str]
    """Name of what feeds the circuits of the rack, without the feed; empty when that is the feed itself."""
    devices: list[list[str]]
    """Names in the slots of the rack."""
    shelves: list[list[str]]
    reach: list[tuple[int, ...]]
    """Feeds that reach the rack, as places in those of the terms."""
    patterns: list[Pattern]


def wire_racks(power: Power, layout: SiteLayout, catalog: Catalog, halls: Sequence[Hall] = ()) -> Hookup:
    """Circuits and supplies of the whole site; all feeds reach a hall that is not among `halls`."""
    hookup = Hookup(terms(power, catalog), [], [], [], [], [], [], [], [])
    reach = {hall.name: reaching(hall, power.feeds) for hall in halls}
    pattern_by_content: dict[object, int] = {}
    for rack, devices in _racks(layout):
        at = layout.places[rack]
        loads = [device for device in devices if not isinstance(device.part, PowerShelf)]
        placed = [device.name for device in devices if isinstance(device.part, PowerShelf)]
        feeds = reach.get(at.hall, hookup.terms.reach)
        key = (at.rack.sku, feeds, len(placed), tuple((device.part.sku, device.present) for device in loads))
        if key not in pattern_by_content:
            pattern_by_content[key] = len(hookup.patterns)
            slots = [_slot(device, power) for device in loads]
            hookup.patterns.append(
                wire_rack(slots, _shelves(at.rack, len(placed), slots, catalog), replace(hookup.terms, reach=feeds))
            )
        pattern = hookup.patterns[pattern_by_content[key]]
        count = 1 + max((cord.shelf for cord in pattern.cords), default=-1)
        hookup.racks.append(rack)
        hookup.reach.append(feeds)
        hookup.pattern.append(pattern_by_content[key])
        hookup.turn.append((at.position - 1) % PHASES)
        hookup.above.append(names.busway(at.hall, at.row, "") if power.busway else "")
        hookup.devices.append([device.name for device in loads])
        hookup.shelves.append(placed or [names.shelf(rack, number + 1) for number in range(count)])
    return hookup


def _racks(layout: SiteLayout) -> Iterator[tuple[str, list[PlacedDevice]]]:
    by_rack: dict[str, list[PlacedDevice]] = defaultdict(list)
    for device in layout.devices:
        by_rack[device.rack].append(device)
    for rack in layout.racks():
        yield rack, by_rack[rack]


def _slot(device: PlacedDevice, power: Power) -> PowerSlot:
    """The slot of a device; its design watts are the typical draw of the part, or a share of the peak if no figure is published."""
    part = device.part
    typical = part.typical_watts
    design = part.peak_watts * power.design_share if typical is None else typical
    return PowerSlot(part.peak_watts, design, part.psus, device.present, after_loss(power, part))


def _shelves(rack: Rack, placed: int, slots: Sequence[PowerSlot], catalog: Catalog) -> Shelves | None:
    """The shelves placed in the rack, or as many as its busbar load needs."""
    on_busbar = [slot for slot in slots if slot.on_busbar]
    load, capped = sum(slot.peak for slot in on_busbar), sum(slot.capped.watts for slot in on_busbar)
    if rack.power_shelf is None or not load:
        return None
    part = catalog.power_shelves[rack.power_shelf]
    return Shelves(part, placed or shelf_count(rack, part, load, capped))


def list_managed(hookup: Hookup, racks: Iterable[str]) -> dict[str, list[tuple[str, int, int]]]:
    """Rack -> (name, feed from 0, number on that feed from 1) of every PDU, followed by every power shelf.

    Circuits of shelves have no PDU; shelves are on the feeds in turn.
    """
    shelves_by_rack = dict(zip(hookup.racks, hookup.shelves, strict=True))
    reach = dict(zip(hookup.racks, hookup.reach, strict=True))
    managed = {}
    for rack, pdus in _pdus(hookup, racks).items():
        numbers = Counter(feed for _, feed, _ in pdus)
        managed[rack] = list(pdus)
        for at, shelf in enumerate(shelves_by_rack.get(rack, ())):
            feed = reach[rack][at % len(reach[rack])]
            numbers[feed] += 1
            managed[rack].append((shelf, feed, numbers[feed]))
    return managed


def _pdus(hookup: Hookup, racks: Iterable[str]) -> dict[str, list[tuple[str, int, int]]]:
    by_rack = dict(zip(hookup.racks, hookup.pattern, strict=True))
    circuits_by_pattern = (
        [_plain_circuits(pattern) for pattern in hookup.patterns] if hookup.terms.pdu else [[] for _ in hookup.patterns]
    )
    feeds = hookup.terms.feeds
    return {
        rack: [
            (names.pdu(naming.circuit(rack, feeds[feed], number)), feed, number)
            for feed, number in (circuits_by_pattern[by_rack[rack]] if rack in by_rack else ())
        ]
        for rack in racks
    }


def _plain_circuits(pattern: Pattern) -> list[tuple[int, int]]:
    """Circuits that do not feed a shelf."""
    on_shelf = {int(at) for at, cord in zip(pattern.block.circuit, pattern.cords, strict=True) if cord.shelf >= 0}
    return [key for at, key in enumerate(pattern.circuits) if at not in on_shelf]
