"""Selects the fabric presets that a server may be connected to, from the properties of its links."""

from __future__ import annotations

from rackwright.catalog import Catalog, fabric_presets
from rackwright.design.sizing.limits import most_nodes
from rackwright.design.sizing.request import Frame, SizeRequest, misfit


def fitting_fabrics(server: str, nodes: int, transport: str, gbps: int, catalog: Catalog) -> list[str]:
    """Names of the presets that can connect `nodes` of a server, the usual one first.

    `transport` (``infiniband``, ``roce``; empty: unknown) and `gbps` (0: unknown) are those of the links; presets of another rate come last.
    """
    part = catalog.servers[server]
    near: list[str] = []
    far: list[str] = []
    for preset in fabric_presets.load().presets:
        if misfit(part, preset, catalog) or (transport and preset.transport != transport):
            continue
        switch = catalog.switches[preset.switch]
        frame = Frame(SizeRequest(1, server, preset.name), part, preset, switch, nodes, {})
        if most_nodes(frame, catalog) >= nodes:
            (near if gbps in (0, frame.host_gbps()) else far).append(preset.name)
    return near + far
