"""From wires to cables: the length of each, and which part and standard length to order.

A part is chosen per cage and run, reserved slots included: a node added later gets the part that its place needs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog import Catalog, Routing
from rackwright.catalog.plugs import carriers
from rackwright.design.columns import RosterColumns
from rackwright.design.placement import SiteLayout
from rackwright.design.plug_choice import LinkEnds, choose_parts
from rackwright.design.port_plugs import PortPlugs
from rackwright.design.topology import Network, Wires
from rackwright.model.facility import Facility
from rackwright.model.sku import Cable

Meters = NDArray[np.float64]
MILLIMETERS = 1000.0


@dataclass(frozen=True)
class CableRun:
    """Cables of one fabric, kind and rate, without absent ones. Lengths are NaN between halls without a declared route."""

    fabric: str
    wires: Wires
    routed_meters: Meters
    """Along the tray, slack included."""
    length_meters: Meters
    """Standard length to order: the shortest that covers the routed length."""
    parts: tuple[Cable, ...]
    part: NDArray[np.int64]
    """Of every cable, its place in `parts`."""

    def are(self, media: Collection[str]) -> NDArray[np.bool_]:
        """Mask of the cables that are of these media."""
        return np.array([part.medium in media for part in self.parts], dtype=np.bool_)[self.part]

    def used(self) -> list[Cable]:
        """The distinct parts of the cables."""
        return [self.parts[at] for at in np.unique(self.part)]


@dataclass(frozen=True)
class FloorPositions:
    """Positions of all devices as columns by device number, in millimetres."""

    rack: NDArray[np.int32]
    """Number of the rack, -1 for a device without one."""
    hall: NDArray[np.int32]
    along: Meters
    """From the end of the row."""
    across: Meters
    """From the first row."""
    up: Meters
    """From the unit to the top of the rack."""
    height: Meters
    """Of the lowest unit above the floor of the rack."""
    between: Meters
    """Declared route from hall to hall, NaN without one."""


def floor(layout: SiteLayout, facility: Facility, routing: Routing, devices: int) -> FloorPositions:
    """The floor that `layout` describes, for `devices` numbered devices."""
    numbers = {name: number for number, name in enumerate(layout.places)}
    halls = {hall.name: number for number, hall in enumerate(facility.halls)}
    columns = np.full((5, devices), np.nan)
    rack, hall = np.full(devices, -1, dtype=np.int32), np.full(devices, -1, dtype=np.int32)
    unit = routing.rack_unit_millimeters
    where = [
        (
            device.id,
            numbers[device.rack],
            halls[place.hall],
            place.position * place.rack.width_mm,
            place.row * routing.row_pitch_millimeters,
            (place.rack.rack_units - device.unit) * unit,
            device.unit * unit,
        )
        for device in layout.devices
        for place in (layout.places[device.rack],)
    ]
    table = np.array(where, dtype=np.float64).reshape(-1, 7)
    ids = table[:, 0].astype(np.int64)
    rack[ids], hall[ids] = table[:, 1].astype(np.int32), table[:, 2].astype(np.int32)
    columns[:4, ids] = table[:, 3:].T
    along, across, up, height = columns[:4]
    return FloorPositions(rack, hall, along, across, up, height, _routes(facility, halls))


def _routes(facility: Facility, halls: Mapping[str, int]) -> Meters:
    between = np.full((len(halls), len(halls)), np.nan)
    np.fill_diagonal(between, 0.0)
    for route in facility.routes:
        first, second = (halls[name] for name in route.halls)
        between[first, second] = between[second, first] = route.meters
    return between


def run_meters(where: FloorPositions, a: NDArray[np.int32], b: NDArray[np.int32], routing: Routing) -> Meters:
    """Metres from device `a` to device `b`: up to the tray, along row and aisle, down again.

    Within a rack the cable runs beside the devices. Between halls it runs along both rows to their ends, and over the
    declared route; NaN without one. Slack is added at both ends.
    """
    ends = 2 * (routing.rack_exit_millimeters + routing.slack_millimeters)
    inside = np.abs(where.height[a] - where.height[b])
    climb = where.up[a] + where.up[b] + 2 * routing.tray_above_rack_millimeters
    one_hall = where.hall[a] == where.hall[b]
    level = np.where(
        one_hall,
        np.abs(where.along[a] - where.along[b]) + np.abs(where.across[a] - where.across[b]),
        where.along[a] + where.along[b] + where.across[a] + where.across[b],
    )
    route = where.between[where.hall[a], where.hall[b]] * MILLIMETERS
    total = np.where(where.rack[a] == where.rack[b], inside, climb + level + route)
    return np.asarray((ends + total) / MILLIMETERS)


def backplane_meters(where: FloorPositions, a: NDArray[np.int32], b: NDArray[np.int32]) -> Meters:
    """Metres from tray `a` to tray `b` along the backplane of their rack, which needs no slack."""
    return np.asarray(np.abs(where.height[a] - where.height[b]) / MILLIMETERS)


def cables(networks: Sequence[Network], layout: SiteLayout, facility: Facility, catalog: Catalog) -> list[CableRun]:
    """Every cable of the site in the order of the wires, without those of absent slots."""
    roster = networks[0].roster
    where = floor(layout, facility, catalog.routing, len(roster.names))
    plugs = PortPlugs(RosterColumns(roster))
    return [run for network in networks for run in _runs(network, where, plugs, catalog)]


def _runs(network: Network, where: FloorPositions, plugs: PortPlugs, catalog: Catalog) -> list[CableRun]:
    joined = _joined_runs(network.wires)
    routed = [
        backplane_meters(where, wires.a, wires.b)
        if wires.kind == "nvlink"
        else run_meters(where, wires.a, wires.b, catalog.routing)
        for wires in joined
    ]
    chosen = _chosen_parts(network, joined, routed, plugs, catalog)
    runs = []
    for wires, every, (parts, part) in zip(joined, routed, chosen, strict=True):
        meters, part_there = every[wires.there], part[wires.there]
        lengths = standard_lengths(parts, part_there, meters)
        runs.append(CableRun(network.fabric.name, _present(wires), meters, lengths, parts, part_there))
    return runs


def _joined_runs(wires: Sequence[Wires]) -> list[Wires]:
    """Adjacent runs of one kind, rate and plane, joined."""
    groups: list[list[Wires]] = []
    for run in wires:
        last = groups[-1][0] if groups else None
        if last and (last.kind, last.gbps, last.plane) == (run.kind, run.gbps, run.plane):
            groups[-1].append(run)
        else:
            groups.append([run])
    return [_concatenated(group) for group in groups]


def _concatenated(group: Sequence[Wires]) -> Wires:
    if len(group) == 1:
        return group[0]
    a, a_port, b, b_port, present = (
        np.concatenate([getattr(run, name) for run in group]) for name in ("a", "a_port", "b", "b_port", "there")
    )
    rails = [np.full(len(run), -1, dtype=np.int32) if run.rail is None else run.rail for run in group]
    return Wires(group[0].kind, group[0].gbps, a, a_port, b, b_port, present, np.concatenate(rails), group[0].plane)


def _present(wires: Wires) -> Wires:
    if wires.present is None or wires.present.all():
        return wires
    keep = wires.present
    rail = None if wires.rail is None else wires.rail[keep]
    columns = (wires.a[keep], wires.a_port[keep], wires.b[keep], wires.b_port[keep])
    return Wires(wires.kind, wires.gbps, *columns, None, rail, wires.plane)


def standard_lengths(parts: Sequence[Cable], part: NDArray[np.int64], meters: Meters) -> Meters:
    """The shortest standard length of each cable's part that covers `meters`; `meters` rounded to 0.1 m if none does."""
    ordered = np.round(meters, 1)
    for at in np.unique(part):
        mine = part == at
        lengths = np.array([*sorted(parts[at].lengths_meters), np.inf])
        standard = lengths[np.searchsorted(lengths, np.nan_to_num(meters[mine], nan=np.inf))]
        ordered[mine] = np.where(np.isinf(standard), ordered[mine], standard)
    return ordered


Choice = tuple[tuple[Cable, ...], NDArray[np.int64]]


def _chosen_parts(
    network: Network, runs: Sequence[Wires], routed: Sequence[Meters], plugs: PortPlugs, catalog: Catalog
) -> list[Choice]:
    """For every run of wires its candidate parts, and for every wire the index of the chosen one."""
    choices: dict[int, Choice] = {}
    for gbps in dict.fromkeys(run.gbps for run in runs):
        mine = [at for at, run in enumerate(runs) if run.gbps == gbps]
        parts = tuple(carriers(catalog.cables.values(), gbps, network.switch.transport, catalog.optics))
        if not parts:
            raise ProblemsError([_no_cable(catalog, gbps, network.path)])
        wires = _concatenated([runs[at] for at in mine])
        chosen_wires = _with_a_port(wires, plugs)
        chosen = np.zeros(len(wires), dtype=np.int64)
        meters = np.concatenate([routed[at] for at in mine])[chosen_wires]
        chosen[chosen_wires] = choose_parts(_ends(wires, chosen_wires, meters, plugs), parts, catalog.optics)
        cuts = np.cumsum([len(runs[at]) for at in mine])[:-1]
        choices |= {at: (parts, part) for at, part in zip(mine, np.split(chosen, cuts), strict=True)}
    return [choices[at] for at in range(len(runs))]


def _with_a_port(wires: Wires, plugs: PortPlugs) -> NDArray[np.bool_]:
    """Mask of the wires to choose parts for: absent ones are left out if a present wire uses their port."""
    if wires.there.all():
        return wires.there
    port = plugs.port(wires.b, wires.b_port)
    return np.asarray(wires.there | ~np.isin(port, port[wires.there]))


def _ends(wires: Wires, chosen_wires: NDArray[np.bool_], meters: Meters, plugs: PortPlugs) -> LinkEnds:
    cage, form = plugs.of(wires.b[chosen_wires], wires.b_port[chosen_wires])
    node_cage, node_form = plugs.of(wires.a[chosen_wires], wires.a_port[chosen_wires])
    return LinkEnds(cage, node_cage, form, node_form, plugs.forms, meters)


def _no_cable(catalog: Catalog, gbps: int, path: str) -> Problem:
    rates = sorted({part.gbps for part in catalog.cables.values()})
    return Problem(
        place="site",
        path=path,
        message=f"the catalog has no cable for {gbps} Gb/s",
        expected="a cable of one of " + ", ".join(f"{rate} Gb/s" for rate in rates),
        found=f"{gbps} Gb/s",
        next_step="declare the cable under catalog in the site file",
        code="design.no_cable",
    )
