"""Placement: devices in rack units, racks on places of the halls.

Order of places: per scalable unit its compute racks (also those without a node yet) and the rack of its switches; then the racks that
the whole site shares. Racks with a declared place (``facility.racks``, ``hall`` and ``row`` of a pool) stand there, and so does what
``existing`` lists. Servers fill a compute rack from the bottom;
switches and control servers fill theirs from the top. NVSwitch trays stand in the middle of the nodes that they join. Racks of switches
count per pool, so that a growing pool renames no rack of another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rackwright.catalog import Catalog
from rackwright.design import naming, placement_problems, rack_places, spread
from rackwright.design.place_load import PlaceLimit, PlaceLoad, place_limit
from rackwright.design.population import MachineSlot, Population, ScalableUnit
from rackwright.design.rack_places import Block, HallPlace
from rackwright.design.standing_places import StandingPlaces
from rackwright.design.topology import Network
from rackwright.design.topology.network import UNSET
from rackwright.model.site import Pool, Site
from rackwright.model.sku import Rack, Server, Switch


@dataclass(frozen=True)
class PlacedDevice:
    """One device in a rack. `unit` is its lowest rack unit, from 1 at the bottom."""

    id: int
    """Number in the roster."""
    name: str
    kind: str
    role: str
    part: Server | Switch
    fabric: str
    pool: str
    scalable_unit: int
    index: int
    rack: str
    unit: int
    present: bool = True


@dataclass(frozen=True)
class SiteLayout:
    """All racks and devices, absent slots included."""

    places: dict[str, HallPlace]
    kinds: dict[str, str]
    devices: tuple[PlacedDevice, ...]

    def present(self) -> list[PlacedDevice]:
        """Devices that exist."""
        return [device for device in self.devices if device.present]

    def racks(self) -> list[str]:
        """Racks with at least one present device, in the order of their places."""
        used = {device.rack for device in self.devices if device.present}
        return [rack for rack in self.places if rack in used]


@dataclass(frozen=True)
class Loose:
    """A device without a slot yet."""

    id: int
    name: str
    kind: str
    role: str
    part: Server | Switch
    fabric: str
    pool: str
    scalable_unit: int
    index: int
    present: bool = True

    def at(self, rack: str, unit: int) -> PlacedDevice:
        """The device in its slot."""
        head = (self.id, self.name, self.kind, self.role, self.part, self.fabric, self.pool)
        return PlacedDevice(*head, self.scalable_unit, self.index, rack, unit, self.present)


Home = tuple[str, int, int]
"""Pool, scalable unit, and rack of the unit for switches that stand beside its nodes; else -1."""


RackOfDevices = tuple[str, str, list[PlacedDevice]]
"""Name and kind of a rack, and what stands in it."""


def place_devices(site: Site, catalog: Catalog, population: Population, networks: Sequence[Network]) -> SiteLayout:
    """The layout of `site`. Raises `ProblemsError` when a rack or the halls are too small."""
    apart = spread.parts(networks, population)
    blocks = list(_blocks(site, catalog, population, _switches(networks), apart))
    if site.existing.devices:
        blocks = StandingPlaces(site, catalog, apart).keep(blocks)
    racks = [rack for _, block_racks in blocks for rack in block_racks]
    rack_by_pool = {unit.pool.name: unit.pool.rack for unit in population.units if unit.pool.rack}
    far = [name for name, _, devices in racks if devices[0].id in apart] if spread.beyond_racks(site) else []
    named = [Block([name for name, _, _ in block_racks], pool) for pool, block_racks in blocks]
    places = rack_places.assign(site, catalog, named, rack_by_pool, far)
    devices = tuple(device for _, _, devices in racks for device in devices)
    return SiteLayout(places, {name: kind for name, kind, _ in racks}, devices)


def _blocks(
    site: Site, catalog: Catalog, population: Population, switches: Mapping[Home, list[Loose]], apart: Mapping[int, int]
) -> Iterator[tuple[Pool | None, list[RackOfDevices]]]:
    """The racks of every scalable unit with those of its switches, then every rack that the whole site shares."""
    default = catalog.racks[site.facility.halls[0].rack]
    limit = place_limit(site.facility)
    count: Counter[str] = Counter()

    def packed(loose: Iterable[Loose], group: str, kind: str) -> Iterator[RackOfDevices]:
        for part in spread.dealt(loose, apart):
            racks = _pack(part, default, group, count[group], limit)
            count[group] += len(racks)
            yield from ((name, kind, devices) for name, devices in racks)

    for unit in population.units:
        rack = catalog.racks[unit.pool.rack] if unit.pool.rack else default
        group = "fabric" if unit.pool is population.units[0].pool else f"{unit.pool.name}-fabric"
        mine = switches.get((unit.pool.name, unit.number, UNSET), [])
        yield unit.pool, [*_unit_racks(unit, rack, switches), *packed(mine, group, "fabric")]
    shared = [member for home, members in switches.items() if home[1] == 0 for member in members]
    shared += [_machine(member) for member in population.control]
    yield from ((None, [rack]) for rack in packed(shared, "site", "management"))


def _unit_racks(unit: ScalableUnit, rack: Rack, switches: Mapping[Home, Sequence[Loose]]) -> list[RackOfDevices]:
    height = unit.server.rack_units
    kind = "compute" if unit.role == "accelerator" else unit.role
    per_rack = unit.pool.servers_per_rack if kind == "compute" else max(1, rack.rack_units // height)
    if per_rack * height > rack.rack_units:
        raise placement_problems.too_full(unit, per_rack, height, rack)
    count = -(-len(unit.machines) // per_rack)
    racks = []
    for number in range(count):
        name = naming.rack(unit.pool.name, (unit.number - 1) * count + number + 1)
        inside = unit.machines[number * per_rack : (number + 1) * per_rack]
        trays = switches.get((unit.pool.name, unit.number, number), ())
        middle, between = per_rack // 2, sum(tray.part.rack_units for tray in trays)
        if per_rack * height + between > rack.rack_units:
            raise placement_problems.no_trays(unit, per_rack * height, between, rack)
        devices = [
            _machine(machine).at(name, 1 + at * height + (between if at >= middle else 0))
            for at, machine in enumerate(inside)
        ]
        top = middle * height
        for tray in trays:
            devices.append(tray.at(name, top + 1))
            top += tray.part.rack_units
        racks.append((name, kind, devices))
    return racks


def _machine(machine: MachineSlot) -> Loose:
    return Loose(
        machine.id,
        machine.name,
        "server",
        machine.role,
        machine.server,
        "",
        machine.pool,
        machine.unit,
        machine.index,
        machine.present,
    )


def _switches(networks: Iterable[Network]) -> Mapping[Home, list[Loose]]:
    by_home: dict[Home, list[Loose]] = defaultdict(list)
    for network in networks:
        for member in network.members:
            beside = member.rack if member.tier == "nvswitch" else UNSET
            home = (member.pool if member.unit else "", member.unit, beside)
            tail = (member.part, network.fabric.name, member.pool, member.unit, member.index, member.present)
            by_home[home].append(Loose(member.id, member.name, "switch", member.tier, *tail))
    return by_home


def _pack(
    loose: Iterable[Loose], rack: Rack, group: str, before: int, limit: PlaceLimit
) -> list[tuple[str, list[PlacedDevice]]]:
    """Fills racks from the top in the given order, up to `limit`; `before` racks of this group exist already."""
    racks: list[tuple[str, list[PlacedDevice]]] = []
    top, load = 0, PlaceLoad(limit)
    for device in loose:
        if top < device.part.rack_units or (load.watts and not load.bears(device.part.peak_watts)):
            racks.append((naming.rack(group, before + len(racks) + 1), []))
            top, load = rack.rack_units, PlaceLoad(limit)
        top -= device.part.rack_units
        load.add(device.part.peak_watts)
        current, devices = racks[-1]
        devices.append(device.at(current, top + 1))
    return racks
