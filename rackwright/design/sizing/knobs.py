"""What sizing may turn until every rule passes, and where it starts.

The start follows from the parts alone (supplies, weights, rack units); the
loop of ``fit`` turns what the rules then complain about.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rackwright.catalog import Catalog, fabric_presets, sizing_practice
from rackwright.catalog.sizing_practice import SizingPractice
from rackwright.design.power.capacity import usable_watts
from rackwright.design.sizing.ask import Frame
from rackwright.design.sizing.refusal import refuse
from rackwright.model.facility import Circuit
from rackwright.model.sku import Psus, Rack, Server

RACK = "rack-48u-1200"
"""The rack of DGX systems; servers on a busbar name theirs in the preset."""


@dataclass(frozen=True)
class Knobs:
    """Choices that are not given."""

    scalable_unit: int
    servers_per_rack: int
    feeds: int
    circuit: int
    """Index into the circuits of sizing practice."""
    pdu: bool = True
    ufm: bool = True
    spare_share: float = 0.0
    switch: dict[str, int] = field(default_factory=dict)
    """By role of a network, which of its switches."""
    oversubscription: dict[str, float] = field(default_factory=dict)
    """By role, where it differs from the preset."""
    subnet_bits: int = 0
    """Subnets are doubled so often."""
    cdu: int = 0
    """Which of the CDUs, from the usual one to those with more pressure."""
    storage_servers: bool = True
    row_factor: int = 1
    """Rows are so many times as long as usual."""


def start(found: Frame, catalog: Catalog) -> Knobs:
    """The first choice: published practice where there is some, else what the parts allow."""
    practice = sizing_practice.load()
    rack = catalog.racks[found.preset.rack or RACK]
    feeds = _feeds(found.server, practice)
    unit = _racks(found) if found.preset.servers_per_rack else _unit(found)
    per_rack = found.preset.servers_per_rack or _per_rack(found.server, rack, practice)
    infiniband = found.preset.transport == "infiniband" and _manages(found, catalog)
    return Knobs(
        scalable_unit=unit,
        servers_per_rack=min(per_rack, max(unit, 1)),
        feeds=feeds,
        circuit=_circuit(found.server.peak_watts * per_rack, feeds, practice),
        ufm=infiniband,
        spare_share=practice.spare_share,
    )


def _unit(found: Frame) -> int:
    """Nodes that fill the leaves of a rail, one host port each; for a site that stays far below, the next power of two.

    Where subnet managers want a port, room for one more node is kept.
    """
    more = found.nodes + (found.preset.transport == "infiniband")
    return min(found.leaf_ports(), 1 << (more - 1).bit_length())


def _racks(found: Frame) -> int:
    """Nodes of as many whole racks as are needed, up to the unit of the preset."""
    each = found.preset.servers_per_rack or 1
    whole = -(-found.nodes // each) * each
    return min(found.preset.scalable_unit or whole, whole)


def _manages(found: Frame, catalog: Catalog) -> bool:
    """True when the subnet manager's adapters run at a rate of the leaves."""
    part = catalog.servers[sizing_practice.load().subnet_manager]
    rates = {group.gbps for group in part.ports if group.role == "compute"}
    return found.host_gbps() in rates


def _feeds(server: Server, practice: SizingPractice) -> int:
    """The fewest feeds of which one may fail: supplies are dealt evenly, and those left must be enough in number and watts."""
    most = len(practice.feed_letters)
    for feeds in range(2, most + 1):
        if server.psus.count == 0 or _carries(server.psus, server.peak_watts, feeds):
            return feeds
    raise refuse(
        "--server",
        f"no number of feeds up to {most} lets {server.sku} lose one",
        f"{server.psus.needed} of its supplies left when a feed is lost",
        f"{server.psus.count} supplies",
        "take a server with more supplies than it needs",
    )


def _carries(psus: Psus, watts: int, feeds: int) -> bool:
    left = psus.count - -(-psus.count // feeds)
    return left >= psus.needed and left * psus.watts_each >= watts


def _per_rack(server: Server, rack: Rack, practice: SizingPractice) -> int:
    """As many as rack units, weight and the densest published rack allow."""
    most_kw = practice.liquid_rack_kw if server.liquid else practice.air_rack_kw
    by_weight = int((rack.max_weight_kg - rack.weight_kg) // server.weight_kg)
    most = min(rack.rack_units // server.rack_units, int(most_kw * 1000 // server.peak_watts), by_weight)
    even = [count for count in (32, 16, 8, 4, 2, 1) if count <= most]
    return even[0] if even else 1


def _circuit(watts: int, feeds: int, practice: SizingPractice) -> int:
    """The smallest circuit of which one per feed carries the rack after the loss of a feed; else the largest."""
    for at, one in enumerate(practice.circuits):
        if usable_watts(Circuit(volts=one.volts, amps=one.amps, phases=3)) * (feeds - 1) >= watts:
            return at
    return len(practice.circuits) - 1


def switch(found: Frame, knobs: Knobs, role: str) -> str:
    """The switch of a network."""
    return found.networks[role].switches[knobs.switch.get(role, 0)]


def presets() -> list[str]:
    """The names of all fabrics."""
    return [one.name for one in fabric_presets.load().presets]
