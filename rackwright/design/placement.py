"""Where everything stands: racks on places of the halls, devices in rack units.

Order of places: per scalable unit its compute racks (all of them, also those that hold no node yet) and the rack of its
switches; then the racks of what the site shares. Racks with a place of their own (``facility.racks``) stand there.
Servers fill a compute rack from the bottom; switches and control servers fill theirs from the top. NVSwitch trays stand in
the middle of the nodes that they join. Racks of switches count by pool, so that a pool that grows renames none of others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog
from rackwright.design import misplaced, naming
from rackwright.design.population import Machine, Population, Unit
from rackwright.design.topology import Network
from rackwright.design.topology.network import UNSET
from rackwright.model.site import Site
from rackwright.model.sku import Rack, Server, Switch


@dataclass(frozen=True)
class Place:
    """One rack place of a hall; row and position count from 1."""

    hall: str
    row: int
    position: int
    rack: Rack


@dataclass(frozen=True)
class Device:
    """One thing in a rack. `unit` is its lowest rack unit, from 1 at the bottom."""

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
class Layout:
    """All racks and devices, absent slots included."""

    places: dict[str, Place]
    kinds: dict[str, str]
    devices: tuple[Device, ...]

    def present(self) -> list[Device]:
        """Devices that exist."""
        return [device for device in self.devices if device.present]

    def racks(self) -> list[str]:
        """Racks that hold something, in the order of their places."""
        used = {device.rack for device in self.devices if device.present}
        return [rack for rack in self.places if rack in used]


@dataclass(frozen=True)
class Loose:
    """A device that has no slot yet."""

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

    def at(self, rack: str, unit: int) -> Device:
        """The device in its slot."""
        head = (self.id, self.name, self.kind, self.role, self.part, self.fabric, self.pool)
        return Device(*head, self.scalable_unit, self.index, rack, unit, self.present)


Home = tuple[str, int, int]
"""Pool, scalable unit, and rack of the unit for switches that stand beside its nodes; else -1."""


def place(site: Site, catalog: Catalog, population: Population, networks: Sequence[Network]) -> Layout:
    """The layout of `site`. Raises `ProblemsError` when a rack or the halls are too small."""
    default = catalog.racks[site.facility.halls[0].rack]
    switches = _switches(networks)
    groups: list[tuple[str, str, list[Device]]] = []
    fabric_racks: Counter[str] = Counter()
    for unit in population.units:
        rack = catalog.racks[unit.pool.rack] if unit.pool.rack else default
        groups += _unit_racks(unit, rack, switches)
        group = "fabric" if unit.pool is population.units[0].pool else f"{unit.pool.name}-fabric"
        racks = _pack(switches.get((unit.pool.name, unit.number, UNSET), []), default, group, fabric_racks[group])
        fabric_racks[group] += len(racks)
        groups += [(name, "fabric", devices) for name, devices in racks]
    shared = [one for home, found in switches.items() if home[1] == 0 for one in found]
    shared += [_machine(one) for one in population.control]
    groups += [(name, "management", devices) for name, devices in _pack(shared, default, "site", 0)]
    own = {unit.pool.name: unit.pool.rack for unit in population.units if unit.pool.rack}
    places = _assign(site, catalog, [name for name, _, _ in groups], own)
    devices = tuple(device for _, _, devices in groups for device in devices)
    return Layout(places, {name: kind for name, kind, _ in groups}, devices)


def _unit_racks(
    unit: Unit, rack: Rack, switches: Mapping[Home, Sequence[Loose]]
) -> list[tuple[str, str, list[Device]]]:
    height = unit.server.rack_units
    kind = "compute" if unit.role == "accelerator" else unit.role
    per_rack = unit.pool.servers_per_rack if kind == "compute" else max(1, rack.rack_units // height)
    if per_rack * height > rack.rack_units:
        raise misplaced.too_full(unit, per_rack, height, rack)
    count = -(-len(unit.machines) // per_rack)
    racks = []
    for number in range(count):
        name = naming.rack(unit.pool.name, (unit.number - 1) * count + number + 1)
        inside = unit.machines[number * per_rack : (number + 1) * per_rack]
        trays = switches.get((unit.pool.name, unit.number, number), ())
        middle, between = per_rack // 2, sum(tray.part.rack_units for tray in trays)
        if per_rack * height + between > rack.rack_units:
            raise misplaced.no_trays(unit, per_rack * height, between, rack)
        devices = [
            _machine(one).at(name, 1 + at * height + (between if at >= middle else 0)) for at, one in enumerate(inside)
        ]
        top = middle * height
        for tray in trays:
            devices.append(tray.at(name, top + 1))
            top += tray.part.rack_units
        racks.append((name, kind, devices))
    return racks


def _machine(one: Machine) -> Loose:
    return Loose(one.id, one.name, "server", one.role, one.server, "", one.pool, one.unit, one.index, one.present)


def _switches(networks: Iterable[Network]) -> Mapping[Home, list[Loose]]:
    found: dict[Home, list[Loose]] = defaultdict(list)
    for network in networks:
        for one in network.members:
            beside = one.rack if one.tier == "nvswitch" else UNSET
            home = (one.pool if one.unit else "", one.unit, beside)
            tail = (one.part, network.fabric.name, one.pool, one.unit, one.index, one.present)
            found[home].append(Loose(one.id, one.name, "switch", one.tier, *tail))
    return found


def _pack(loose: Iterable[Loose], rack: Rack, group: str, before: int) -> list[tuple[str, list[Device]]]:
    """Fills racks from the top in the given order; `before` racks of this group exist already."""
    racks: list[tuple[str, list[Device]]] = []
    top = 0
    for one in loose:
        if top < one.part.rack_units:
            racks.append((naming.rack(group, before + len(racks) + 1), []))
            top = rack.rack_units
        top -= one.part.rack_units
        current, devices = racks[-1]
        devices.append(one.at(current, top + 1))
    return racks


def _assign(site: Site, catalog: Catalog, names: Sequence[str], own: Mapping[str, str]) -> dict[str, Place]:
    """A place for every rack, in the order of the halls; `own` are the rack SKUs of pools that have their own."""
    racks = {hall.name: catalog.racks[hall.rack] for hall in site.facility.halls}
    pinned = {one.rack: Place(one.hall, one.row, one.position, racks[one.hall]) for one in site.facility.racks}
    known = set(names)
    unknown = [i for i, one in enumerate(site.facility.racks) if one.rack not in known]
    if unknown:
        raise ProblemsError([misplaced.no_such_rack(site, i, names) for i in unknown])
    taken = {(one.hall, one.row, one.position) for one in pinned.values()}
    free = (one for one in _places(site, racks) if (one.hall, one.row, one.position) not in taken)
    loose = [name for name in names if name not in pinned]
    found = list(islice(free, len(loose)))
    if len(found) < len(loose):
        raise misplaced.no_room(site, len(names))
    by_name = dict(zip(loose, found, strict=True)) | pinned
    order = {hall.name: i for i, hall in enumerate(site.facility.halls)}
    for name, at in by_name.items():
        sku = own.get(name.rpartition("-r")[0])
        if sku:
            by_name[name] = replace(at, rack=catalog.racks[sku])
    ranked = sorted(by_name.items(), key=lambda item: (order[item[1].hall], item[1].row, item[1].position))
    return dict(ranked)


def _places(site: Site, racks: dict[str, Rack]) -> Iterator[Place]:
    for hall in site.facility.halls:
        for row in range(1, hall.rows + 1):
            for position in range(1, hall.racks_per_row + 1):
                yield Place(hall.name, row, position, racks[hall.name])
