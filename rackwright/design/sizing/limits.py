"""How large a fabric can become, and which fabrics scale further.

Limits are those of folded Clos fabrics of the preset's switches (``k^3 / 4`` hosts in three tiers), for each rail where rails are fabrics of
their own.
"""

from __future__ import annotations

from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog, fabric_presets
from rackwright.catalog.fabric_presets import FabricPreset
from rackwright.design.sizing.refusal import refuse
from rackwright.design.sizing.request import Frame, SizeRequest, misfit
from rackwright.model.lanes import lanes, speeds
from rackwright.model.sku import Server


def check_request(frame: Frame, catalog: Catalog) -> None:
    """Refuses requests that are certainly too large before anything is expanded."""
    most = most_nodes(frame, catalog)
    if frame.nodes > most:
        tiers = "two" if frame.leaf.uplinks else "three"
        why = f"{tiers} tiers of {frame.preset.switch} end at {most:,} nodes"
        if frame.preset.whole_site:
            why = f"nodes that share switches are {most:,} at most"
        raise too_large(frame, catalog, why)


def too_large(frame: Frame, catalog: Catalog, why: str) -> ProblemsError:
    """The refusal, with the presets that are large enough."""
    reach = most_nodes(frame, catalog) * frame.server.accelerators
    larger = [
        f"{preset.name} (up to {most:,})"
        for preset in fabric_presets.load().presets
        if (most := _reach(frame.server, preset, catalog)) >= frame.ask.accelerators and preset != frame.preset
    ]
    step = f"take --fabric {' or '.join(larger)}" if larger else "split it into several sites"
    return refuse(
        "--accelerators",
        f"{frame.accelerators:,} accelerators are too many for {frame.preset.name}: {why}",
        f"at most about {reach:,} accelerators of {frame.server.sku} on {frame.preset.switch}",
        f"{frame.accelerators:,}",
        step,
    )


def _reach(server: Server, preset: FabricPreset, catalog: Catalog) -> int:
    if misfit(server, preset, catalog):
        return 0
    frame = Frame(SizeRequest(1, server.sku, preset.name), server, preset, catalog.switches[preset.switch], 1, {})
    return most_nodes(frame, catalog) * server.accelerators


def most_nodes(frame: Frame, catalog: Catalog) -> int:
    """Nodes whose links three tiers of the preset's switches can join; two tiers for a scheduled fabric.

    Leaves of racks form a pod per unit and rail, each with a link to every core. Of the two switches of a collapsed core half of the ports join
    them to each other.
    """
    reach = _clos_nodes(frame, catalog)
    if frame.preset.topology == "collapsed-core":
        group = frame.ports("compute")
        assert group is not None, "a frame has compute ports"
        reach = frame.leaf.ports.count * lanes(frame.leaf.ports, frame.host_gbps()) // group.count
    return min(reach, frame.preset.most_nodes or reach)


def _clos_nodes(frame: Frame, catalog: Catalog) -> int:
    group = frame.ports("compute")
    assert group is not None, "a frame has compute ports"
    gbps = frame.host_gbps()
    spine = catalog.switches[frame.preset.spine_switch or frame.preset.switch]
    if frame.leaf.uplinks:
        leaves = spine.ports.count * max(lanes(spine.ports, rate) for rate in speeds(frame.leaf.uplinks))
    else:
        radix = spine.ports.count * lanes(spine.ports, gbps)
        leaves = radix * radix // 2
    if frame.preset.leaf_group == "rack":
        core = spine.ports.count * lanes(spine.ports, gbps)
        return core // (group.count // group.per_rail) * (frame.preset.scalable_unit or 1)
    of_group = frame.preset.scalable_unit if frame.preset.leaf_group == "unit" else frame.preset.servers_per_rack
    down = min(frame.leaf_ports(), of_group or frame.leaf_ports())
    rails = group.count // group.per_rail
    links = max(group.count // (rails if frame.preset.rail_planes else 1) // frame.preset.planes, 1)
    return leaves * down // links
