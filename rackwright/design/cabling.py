"""From wires to cables: the length of each, and which part and standard length to order.

A part is chosen per fabric, kind and rate for the longest run, reserved slots included: the two ports of a twin cage
share one plug, spares stay few, and a node added later gets the same part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog import Catalog, Routing
from rackwright.catalog.plugs import fitting
from rackwright.design.placement import SiteLayout
from rackwright.design.topology import Network, Wires
from rackwright.model.facility import Facility
from rackwright.model.sku import Cable, Switch

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
    part: Cable


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
    devices = len(networks[0].roster.names)
    where = floor(layout, facility, catalog.routing, devices)
    return [run for network in networks for run in _runs(network, where, catalog)]


def _runs(network: Network, where: FloorPositions, catalog: Catalog) -> list[CableRun]:
    joined = _joined_runs(network.wires)
    routed = [
        backplane_meters(where, wires.a, wires.b)
        if wires.kind == "nvlink"
        else run_meters(where, wires.a, wires.b, catalog.routing)
        for wires in joined
    ]
    parts = _parts(network, joined, routed, catalog)
    runs = []
    for wires, every in zip(joined, routed, strict=True):
        part, meters = parts[wires.kind, wires.gbps], every[wires.there]
        runs.append(CableRun(network.fabric.name, _present(wires), meters, standard_lengths(part, meters), part))
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


def standard_lengths(part: Cable, meters: Meters) -> Meters:
    """The shortest lengths of `part` that cover `meters`; `meters` itself where none does."""
    lengths = np.array([*sorted(part.lengths_meters), np.inf])
    at = np.searchsorted(lengths, np.nan_to_num(meters, nan=np.inf))
    return np.where(np.isinf(lengths[at]), np.round(meters, 1), lengths[at])


def _parts(
    network: Network, wires: Sequence[Wires], routed: Sequence[Meters], catalog: Catalog
) -> Mapping[tuple[str, int], Cable]:
    longest: dict[tuple[str, int], float] = {}
    for run, meters in zip(wires, routed, strict=True):
        key = (run.kind, run.gbps)
        reach = float(np.nan_to_num(meters, nan=np.inf).max(initial=0.0))
        longest[key] = max(longest.get(key, 0.0), reach)
    return {key: choose(catalog, key[1], reach, network.path, network.switch) for key, reach in longest.items()}


def choose(catalog: Catalog, gbps: int, meters: float, path: str, switch: Switch | None = None) -> Cable:
    """The part that fits `switch` with the shortest sufficient reach; the longest when none is sufficient (a rule reports it)."""
    fit = fitting(catalog.cables.values(), gbps, switch)
    if not fit:
        raise ProblemsError([_no_cable(catalog, gbps, path)])
    return next((part for part in fit if part.max_meters >= meters), max(fit, key=lambda part: part.max_meters))


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
