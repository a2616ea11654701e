"""From wires to cables: how long each runs, and which part and standard length to order.

A part is chosen per fabric and kind of link for its longest run, reserved slots included: the two ports of a twin cage
share one plug, spares stay few, and a node that is added later gets the same part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rackwright.catalog import Catalog, Routing
from rackwright.design import naming
from rackwright.design.placement import Device, Layout, Place
from rackwright.design.topology import Network, Wire
from rackwright.errors import Problem, ProblemsError
from rackwright.model.sku import Cable

MILLIMETERS = 1000.0


@dataclass(frozen=True)
class Run:
    """One cable. `length_meters` is the length to order; None between halls, where no route is declared."""

    name: str
    fabric: str
    wire: Wire
    length_meters: float | None
    part: Cable


def cables(networks: Sequence[Network], layout: Layout, catalog: Catalog) -> list[Run]:
    """Every cable of the site in the order of the wires, without those of absent slots."""
    devices = {device.name: device for device in layout.devices}
    runs = []
    for network in networks:
        lengths = [_length(devices[w.a_device], devices[w.b_device], layout, catalog.routing) for w in network.wires]
        parts = _parts(network, lengths, catalog)
        for wire, length in zip(network.wires, lengths, strict=True):
            if wire.present:
                part = parts[wire.kind, wire.gbps]
                name = naming.cable(wire.a_device, wire.a_port)
                runs.append(Run(name, network.fabric.name, wire, standard_length(part, length), part))
    return runs


def standard_length(part: Cable, meters: float | None) -> float | None:
    """The shortest length of `part` that can be ordered and is not below `meters`; `meters` itself when none is."""
    if meters is None:
        return None
    return next((float(one) for one in sorted(part.lengths_meters) if one >= meters), round(meters, 1))


def run_meters(one: tuple[Place, int], other: tuple[Place, int], routing: Routing) -> float | None:
    """Metres from rack unit to rack unit: up to the tray, along row and aisle, down again; None between halls.

    Within a rack the cable runs beside the devices. Slack is added at both ends.
    """
    (here, low), (there, high) = one, other
    ends = 2 * (routing.rack_exit_millimeters + routing.slack_millimeters)
    if here == there:
        return (ends + abs(high - low) * routing.rack_unit_millimeters) / MILLIMETERS
    if here.hall != there.hall:
        return None
    climb = sum(
        (place.rack.rack_units - unit) * routing.rack_unit_millimeters + routing.tray_above_rack_millimeters
        for place, unit in (one, other)
    )
    along = abs(here.position - there.position) * here.rack.width_mm
    across = abs(here.row - there.row) * routing.row_pitch_millimeters
    return (ends + climb + along + across) / MILLIMETERS


def _length(a: Device, b: Device, layout: Layout, routing: Routing) -> float | None:
    return run_meters((layout.places[a.rack], a.unit), (layout.places[b.rack], b.unit), routing)


def _parts(network: Network, lengths: Sequence[float | None], catalog: Catalog) -> Mapping[tuple[str, int], Cable]:
    longest: dict[tuple[str, int], float] = {}
    for wire, length in zip(network.wires, lengths, strict=True):
        key = (wire.kind, wire.gbps)
        reach = float("inf") if length is None else length
        longest[key] = max(longest.get(key, 0.0), reach)
    return {key: choose(catalog, key[1], reach, network.path) for key, reach in longest.items()}


def choose(catalog: Catalog, gbps: int, meters: float, path: str) -> Cable:
    """The part of this rate with the shortest sufficient reach; the longest there is when none reaches (a rule says so)."""
    rate = sorted((part for part in catalog.cables.values() if part.gbps == gbps), key=lambda part: part.max_meters)
    if not rate:
        raise ProblemsError([_no_cable(catalog, gbps, path)])
    return next((part for part in rate if part.max_meters >= meters), rate[-1])


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
