"""How large a fabric can become, and which others reach further.

Limits are those of folded Clos fabrics of
the preset's switches (``k^3 / 4`` hosts in three tiers), for each rail where rails are fabrics of their own.
"""

from __future__ import annotations

from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog, fabric_presets
from rackwright.catalog.fabric_presets import FabricPreset
from rackwright.design.sizing.ask import Ask, Frame, misfit
from rackwright.design.sizing.refusal import refuse
from rackwright.model.lanes import lanes
from rackwright.model.sku import Server


def check(found: Frame, catalog: Catalog) -> None:
    """Refuses what is surely too large before anything is expanded."""
    most = most_nodes(found, catalog)
    if found.nodes > most:
        tiers = "two" if found.leaf.uplinks else "three"
        raise too_large(found, catalog, f"{tiers} tiers of {found.preset.switch} end at {most:,} nodes")


def too_large(found: Frame, catalog: Catalog, why: str) -> ProblemsError:
    """The refusal, with the presets that reach as far as was asked."""
    reach = most_nodes(found, catalog) * found.server.accelerators
    larger = [
        f"{preset.name} (up to {most:,})"
        for preset in fabric_presets.load().presets
        if (most := _reach(found.server, preset, catalog)) >= found.ask.accelerators and preset != found.preset
    ]
    step = f"take --fabric {' or '.join(larger)}" if larger else "split it into several sites"
    return refuse(
        "--accelerators",
        f"{found.accelerators:,} accelerators are too many for {found.preset.name}: {why}",
        f"at most about {reach:,} accelerators of {found.server.sku} on {found.preset.switch}",
        f"{found.accelerators:,}",
        step,
    )


def _reach(server: Server, preset: FabricPreset, catalog: Catalog) -> int:
    if misfit(server, preset, catalog):
        return 0
    made = Frame(Ask(1, server.sku, preset.name), server, preset, catalog.switches[preset.switch], 1, {})
    return most_nodes(made, catalog) * server.accelerators


def most_nodes(found: Frame, catalog: Catalog) -> int:
    """Nodes whose links three tiers of the preset's switches can join; two tiers for a scheduled fabric.

    Leaves of racks form a pod per unit and rail, each with a link to every core.
    """
    group = found.ports("compute")
    assert group is not None, "a frame has compute ports"
    gbps = found.host_gbps()
    spine = catalog.switches[found.preset.spine_switch or found.preset.switch]
    if found.leaf.uplinks:
        leaves = spine.ports.count * lanes(spine.ports, found.leaf.uplinks.gbps)
    else:
        radix = spine.ports.count * lanes(spine.ports, gbps)
        leaves = radix * radix // 2
    if found.preset.leaf_group == "rack":
        core = spine.ports.count * lanes(spine.ports, gbps)
        return core // (group.count // group.per_rail) * (found.preset.scalable_unit or 1)
    of_group = found.preset.scalable_unit if found.preset.leaf_group == "unit" else found.preset.servers_per_rack
    down = min(found.leaf_ports(), of_group or found.leaf_ports())
    rails = group.count // group.per_rail
    links = max(group.count // (rails if found.preset.rail_planes else 1) // found.preset.planes, 1)
    return leaves * down // links
