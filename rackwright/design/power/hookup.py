"""The wiring of all racks: which pattern each has, and what stands in its slots.

The taps of the racks of a row take turns on the phases, so that equal racks are plugged alike and their feed is still
loaded evenly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rackwright.catalog import Catalog
from rackwright.design import naming
from rackwright.design.power import names
from rackwright.design.power.capacity import PHASES
from rackwright.design.power.cords import Shelves, Slot
from rackwright.design.power.phase_balance import Pattern, deal
from rackwright.design.power.shelves import shelves
from rackwright.design.power.terms import Terms, terms
from rackwright.model.facility import Power
from rackwright.model.plant import PowerShelf
from rackwright.model.sku import Rack

if TYPE_CHECKING:  # placement asks this package how many shelves a rack needs
    from rackwright.design.placement import Device, Layout


@dataclass(frozen=True, eq=False)
class Hookup:
    """Columns over the racks that hold something, in the order of their places."""

    terms: Terms
    racks: list[str]
    pattern: list[int]
    turn: list[int]
    """Phases by which the tap of the rack is turned on."""
    above: list[str]
    """What the circuits of the rack hang on, without the feed; empty when that is the feed itself."""
    devices: list[list[str]]
    """Names in the slots of the rack."""
    shelves: list[list[str]]
    patterns: list[Pattern]


def circuits(power: Power, layout: Layout, catalog: Catalog) -> Hookup:
    """Circuits and supplies of the whole site."""
    found = Hookup(terms(power, catalog), [], [], [], [], [], [], [])
    known: dict[object, int] = {}
    for rack, devices in _racks(layout):
        at = layout.places[rack]
        loads = [one for one in devices if not isinstance(one.part, PowerShelf)]
        placed = [one.name for one in devices if isinstance(one.part, PowerShelf)]
        key = (at.rack.sku, len(placed), tuple((one.part.sku, one.present) for one in loads))
        if key not in known:
            known[key] = len(found.patterns)
            slots = [_slot(one, power) for one in loads]
            found.patterns.append(deal(slots, _shelves(at.rack, len(placed), slots, catalog), found.terms))
        pattern = found.patterns[known[key]]
        count = 1 + max((cord.shelf for cord in pattern.cords), default=-1)
        found.racks.append(rack)
        found.pattern.append(known[key])
        found.turn.append((at.position - 1) % PHASES)
        found.above.append(names.busway(at.hall, at.row, "") if power.busway else "")
        found.devices.append([one.name for one in loads])
        found.shelves.append(placed or [names.shelf(rack, number + 1) for number in range(count)])
    return found


def _racks(layout: Layout) -> Iterator[tuple[str, list[Device]]]:
    by_rack: dict[str, list[Device]] = defaultdict(list)
    for device in layout.devices:
        by_rack[device.rack].append(device)
    for rack in layout.racks():
        yield rack, by_rack[rack]


def _slot(device: Device, power: Power) -> Slot:
    """`design` watts: what the part typically draws, or its share of the peak where no figure is published."""
    part = device.part
    typical = part.typical_watts
    design = part.peak_watts * power.design_share if typical is None else typical
    return Slot(part.peak_watts, design, part.psus, device.present)


def _shelves(rack: Rack, placed: int, slots: Sequence[Slot], catalog: Catalog) -> Shelves | None:
    """The shelves that stand in the rack, or as many as it needs for what its busbar feeds."""
    load = sum(slot.peak for slot in slots if slot.on_busbar)
    if rack.power_shelf is None or not load:
        return None
    part = catalog.power_shelves[rack.power_shelf]
    return Shelves(part, placed or shelves(rack, part, load))


def pdus(found: Hookup, racks: Iterable[str]) -> dict[str, list[tuple[str, int, int]]]:
    """By rack of `racks`, in their order: name of every PDU, its feed from 0 and its number on it from 1; a shelf has none."""
    by_rack = dict(zip(found.racks, found.pattern, strict=True))
    own = [_ended(pattern) for pattern in found.patterns] if found.terms.pdu else [[] for _ in found.patterns]
    feeds = found.terms.feeds
    return {
        rack: [
            (names.pdu(naming.circuit(rack, feeds[feed], number)), feed, number)
            for feed, number in (own[by_rack[rack]] if rack in by_rack else ())
        ]
        for rack in racks
    }


def _ended(pattern: Pattern) -> list[tuple[int, int]]:
    """Circuits that do not feed a shelf."""
    on_shelf = {int(at) for at, cord in zip(pattern.block.circuit, pattern.cords, strict=True) if cord.shelf >= 0}
    return [key for at, key in enumerate(pattern.circuits) if at not in on_shelf]
