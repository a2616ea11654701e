"""Mounted devices keep their slots; new ones get free slots.

A device that ``existing`` lists, of the SKU that the site requests, keeps rack and unit. A new device stands where it would without a record, unless
the slot is occupied; then, and in racks of switches that were packed differently, it takes the first free slot in the racks of its kind: those of its
scalable unit, or those that the site shares. If all are full it gets a further rack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog
from rackwright.design import naming, placement_problems
from rackwright.design.place_load import PlaceLoad, place_limit
from rackwright.model.site import Pool, Site
from rackwright.model.sku import Server, Switch

if TYPE_CHECKING:
    from rackwright.design.placement import PlacedDevice, RackOfDevices

SHARED = -1
"""In place of a scalable unit: the whole site."""
PACKED = ("fabric", "management")
"""Kinds of racks that are filled from the top."""


@dataclass
class RackFill:
    """A rack while devices are assigned to its slots."""

    name: str
    kind: str
    block: int
    """Its scalable unit, from 0, or `SHARED`."""
    height: int
    most: int
    """Servers that a rack of nodes takes."""
    devices: list[PlacedDevice] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    @property
    def group(self) -> str:
        """Name of the rack without its number."""
        return self.name.rpartition("-r")[0]

    def has_room(self, device: PlacedDevice) -> bool:
        """Whether the slot of `device` is within the rack, and free."""
        slot = _units(device.unit, device.part)
        return device.unit + device.part.rack_units - 1 <= self.height and not slot & self.used

    def in_order(self) -> list[PlacedDevice]:
        """The devices in the rack, in the order in which it is filled."""
        return sorted(self.devices, key=lambda device: -device.unit if self.kind in PACKED else device.id)

    def put(self, device: PlacedDevice) -> None:
        """Puts `device` into its slot."""
        self.devices.append(device)
        self.used |= _units(device.unit, device.part)

    def free_slots(self, device: PlacedDevice) -> Iterator[PlacedDevice]:
        """`device` moved to every free slot in turn, the best first."""
        last = self.height - device.part.rack_units + 1
        for unit in range(last, 0, -1) if self.kind in PACKED else range(1, last + 1):
            moved = replace(device, rack=self.name, unit=unit)
            if self.has_room(moved):
                yield moved


def _units(first: int, part: Server | Switch | None) -> set[int]:
    """Rack units of a device; one where its part is unknown."""
    return set(range(first, first + (part.rack_units if part else 1)))


class StandingPlaces:
    """The racks of a site and the devices in them."""

    def __init__(self, site: Site, catalog: Catalog, apart: Mapping[int, int]) -> None:
        self._site, self._catalog, self._apart = site, catalog, apart
        self._limit = place_limit(site.facility)
        self._recorded = {device.device: device for device in site.existing.devices}
        self._racks: dict[str, RackFill] = {}
        self._packed_otherwise: set[tuple[int, str]] = set()

    def keep(
        self, blocks: Sequence[tuple[Pool | None, list[RackOfDevices]]]
    ) -> list[tuple[Pool | None, list[RackOfDevices]]]:
        """`blocks` with every existing device in its recorded slot. Raises `ProblemsError` if a switch tray has no slot left."""
        planned = list(self._emptied(blocks))
        for name in self._recorded.keys() - {device.name for _, device in planned}:
            gone = self._recorded[name]
            if rack := self._racks.get(gone.rack):
                part = self._catalog.servers.get(gone.sku) or self._catalog.switches.get(gone.sku)
                rack.used |= _units(gone.unit, part)
        fresh = [(rack, device) for rack, device in planned if not self._stays(rack, device)]
        for rack, device in fresh:
            moved = device
            if (rack.block, rack.group) in self._packed_otherwise or not rack.has_room(device):
                moved = self._elsewhere(rack, device)
            self._racks[moved.rack].put(moved)
        return list(self._filled(blocks))

    def _emptied(
        self, blocks: Sequence[tuple[Pool | None, list[RackOfDevices]]]
    ) -> Iterator[tuple[RackFill, PlacedDevice]]:
        """(rack, device) for every device and the rack it has without a record; all racks are registered, and empty."""
        default = self._site.facility.halls[0].rack
        for at, (pool, racks) in enumerate(blocks):
            block, most = (SHARED, 0) if pool is None else (at, pool.servers_per_rack)
            for name, kind, devices in racks:
                sku = pool.rack if pool and pool.rack and kind not in PACKED else default
                rack = RackFill(name, kind, block, self._catalog.racks[sku].rack_units, most)
                self._racks[name] = rack
                yield from ((rack, device) for device in devices)

    def _stays(self, rack: RackFill, device: PlacedDevice) -> bool:
        """Puts `device` into its recorded slot. False if it has no record, is recorded as another part, or the slot does not exist or is occupied."""
        recorded = self._recorded.get(device.name)
        if recorded is None or recorded.sku != device.part.sku:
            return False
        at = replace(device, rack=recorded.rack, unit=recorded.unit)
        target = self._racks.get(recorded.rack)
        if target is None and re.fullmatch(rf"{rack.group}-r\d+", recorded.rack):
            target = replace(rack, name=recorded.rack, devices=[], used=set())
        if target is None or not target.has_room(at):
            return False
        self._racks.setdefault(target.name, target).put(at)
        if rack.kind in PACKED and at != device:
            self._packed_otherwise.add((rack.block, rack.group))
        return True

    def _elsewhere(self, rack: RackFill, device: PlacedDevice) -> PlacedDevice:
        """`device` in the first free slot of the racks like `rack`, or of a new one. Raises `ProblemsError` for a switch tray."""
        if rack.kind not in PACKED and device.kind == "switch":
            raise ProblemsError([placement_problems.slot_taken(self._site, device.name, rack.name, device.unit)])
        alike = [peer for peer in self._racks.values() if (peer.block, peer.group) == (rack.block, rack.group)]
        for peer in alike:
            slot = next(peer.free_slots(device), None) if self._takes(peer, device) else None
            if slot is not None:
                return slot
        numbers = [int(name.rpartition("-r")[2]) for name, peer in self._racks.items() if peer.group == rack.group]
        further = replace(rack, name=naming.rack(rack.group, max(numbers) + 1), devices=[], used=set())
        self._racks[further.name] = further
        return next(further.free_slots(device))

    def _takes(self, rack: RackFill, device: PlacedDevice) -> bool:
        """Whether `device` is within the limits of `rack`, and no device in it must be apart from it."""
        if rack.kind not in PACKED:
            return sum(peer.kind == "server" for peer in rack.devices) < rack.most
        if any(self._apart.get(peer.id) != self._apart.get(device.id) for peer in rack.devices):
            return False
        load = PlaceLoad(self._limit)
        for peer in rack.devices:
            load.add(peer.part.peak_watts)
        return not load.watts or load.bears(device.part.peak_watts)

    def _filled(
        self, blocks: Sequence[tuple[Pool | None, list[RackOfDevices]]]
    ) -> Iterator[tuple[Pool | None, list[RackOfDevices]]]:
        """The racks with something in them, block by block; further ones behind those of their block."""
        names = {name for _, racks in blocks for name, _, _ in racks}
        for at, (pool, racks) in enumerate(blocks):
            mine = [self._racks[name] for name, _, _ in racks]
            if pool is not None:
                mine += [rack for name, rack in self._racks.items() if rack.block == at and name not in names]
            yield pool, [(rack.name, rack.kind, rack.in_order()) for rack in mine if rack.devices]
        for name, rack in self._racks.items():
            if rack.block == SHARED and name not in names and rack.devices:
                yield None, [(name, rack.kind, rack.in_order())]
