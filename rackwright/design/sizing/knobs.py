"""The choices that sizing may change until every rule passes, and their starting values.

The start follows from the parts alone (supplies, weights, rack units); the loop of ``fit`` changes what the rules then refuse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rackwright.catalog import Catalog, fabric_presets, sizing_practice
from rackwright.catalog.sizing_practice import SizingPractice
from rackwright.design.power.capacity import usable_watts
from rackwright.design.sizing.power_caps import left_after_loss
from rackwright.design.sizing.refusal import refuse
from rackwright.design.sizing.request import Frame
from rackwright.model.facility import Circuit
from rackwright.model.sku import Psus, Rack, Server

RACK = "rack-48u-1200"
"""The rack of DGX systems; servers on a busbar name theirs in the preset."""


@dataclass(frozen=True)
class Knobs:
    """Choices that the request leaves open."""

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
    """Number of times that subnets are doubled."""
    cdu: int = 0
    """Which of the CDUs, from the usual one to those with more pressure."""
    storage_servers: bool = True
    row_factor: int = 1
    """Multiple of the usual row length."""


def first_choice(frame: Frame, catalog: Catalog) -> Knobs:
    """The first choice: published practice where available, else what the parts allow."""
    practice = sizing_practice.load()
    rack = catalog.racks[frame.preset.rack or RACK]
    feeds = _feeds(frame.server, practice)
    unit = _racks(frame) if frame.preset.servers_per_rack else _unit(frame)
    per_rack = frame.preset.servers_per_rack or _per_rack(frame.server, rack, practice)
    infiniband = frame.preset.transport == "infiniband" and _can_manage_subnet(frame, catalog)
    return Knobs(
        scalable_unit=unit,
        servers_per_rack=min(per_rack, max(unit, 1)),
        feeds=feeds,
        circuit=_circuit(frame.server.peak_watts * per_rack, feeds, practice),
        ufm=infiniband,
        spare_share=practice.spare_share,
    )


def _unit(frame: Frame) -> int:
    """Nodes that fill the leaves of a rail, one host port each; for a much smaller site, the next power of two.

    Where subnet managers need a port, room for one more node is kept. All nodes are one unit where they share switches.
    """
    if frame.preset.whole_site:
        return frame.nodes
    more = frame.nodes + (frame.preset.transport == "infiniband")
    return min(frame.leaf_ports(), 1 << (more - 1).bit_length())


def _racks(frame: Frame) -> int:
    """Nodes of as many whole racks as are needed, up to the unit of the preset."""
    each = frame.preset.servers_per_rack or 1
    rounded = -(-frame.nodes // each) * each
    return min(frame.preset.scalable_unit or rounded, rounded)


def _can_manage_subnet(frame: Frame, catalog: Catalog) -> bool:
    """True when the subnet manager's adapters run at a rate of the leaves."""
    part = catalog.servers[sizing_practice.load().subnet_manager]
    rates = {group.gbps for group in part.ports if group.role == "compute"}
    return frame.host_gbps() in rates


def _feeds(server: Server, practice: SizingPractice) -> int:
    """The fewest feeds with one allowed to fail: supplies are dealt evenly, and the remaining ones must be enough in number and watts.

    Where that takes more feeds than buildings have, as many as these have, if so few supplies carry the server at reduced performance.
    """
    most = len(practice.feed_letters)
    for feeds in range(2, most + 1):
        if server.psus.count == 0 or _supplies_carry(server.psus, server.peak_watts, feeds):
            return feeds
        if feeds == practice.most_feeds and left_after_loss(server.psus, feeds) >= (server.psus.reduced or math.inf):
            return feeds
    raise refuse(
        "--server",
        f"no number of feeds up to {most} lets {server.sku} lose one",
        f"{server.psus.needed} of its supplies left when a feed is lost",
        f"{server.psus.count} supplies",
        "take a server with more supplies than it needs",
    )


def _supplies_carry(psus: Psus, watts: int, feeds: int) -> bool:
    remaining = left_after_loss(psus, feeds)
    return remaining >= psus.needed and remaining * psus.watts_each >= watts


def _per_rack(server: Server, rack: Rack, practice: SizingPractice) -> int:
    """As many as rack units, weight and the densest published rack allow."""
    most_kw = practice.liquid_rack_kw if server.liquid else practice.air_rack_kw
    by_weight = int((rack.max_weight_kg - rack.weight_kg) // server.weight_kg)
    most = min(rack.rack_units // server.rack_units, int(most_kw * 1000 // server.peak_watts), by_weight)
    even = [count for count in (32, 16, 8, 4, 2, 1) if count <= most]
    return even[0] if even else 1


def _circuit(watts: int, feeds: int, practice: SizingPractice) -> int:
    """The smallest circuit that, one per feed, carries the rack after the loss of a feed; else the largest."""
    for at, choice in enumerate(practice.circuits):
        if usable_watts(Circuit(volts=choice.volts, amps=choice.amps, phases=3)) * (feeds - 1) >= watts:
            return at
    return len(practice.circuits) - 1


def network_switch(frame: Frame, knobs: Knobs, role: str) -> str:
    """The switch of a network."""
    return frame.networks[role].switches[knobs.switch.get(role, 0)]


def presets() -> list[str]:
    """The names of all fabrics."""
    return [preset.name for preset in fabric_presets.load().presets]
