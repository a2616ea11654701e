"""Which of the known compute fabrics a server can have been connected to, by what its links show."""

from __future__ import annotations

from rackwright.catalog import Catalog, fabric_presets
from rackwright.design.sizing.limits import most_nodes
from rackwright.design.sizing.request import Frame, SizeRequest, misfit


def fitting_fabrics(server: str, nodes: int, transport: str, gbps: int, catalog: Catalog) -> list[str]:
    """Names of the fabrics that `nodes` of a server fit, the usual one first.

    `transport` (``infiniband``, ``roce``) and `gbps` are those of the links; those of another rate come last. Empty and 0: not known.
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
