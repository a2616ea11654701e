"""Builds every fabric of a site, management last because it connects the switches of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from rackwright.catalog import Catalog
from rackwright.design import ports
from rackwright.design.population import Machine, Population, Unit
from rackwright.design.ports import PortList
from rackwright.design.topology import leaf_spine, management
from rackwright.design.topology.network import Network, Roster
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site

TOPOLOGIES: Mapping[str, Callable[[Network, Sequence[Unit], Sequence[Machine]], None]] = {
    "rail-optimized": leaf_spine.build,
    "fat-tree": leaf_spine.build,
    "leaf-spine": leaf_spine.build,
}
"""Topologies that are complete in themselves; ``management`` also needs the other fabrics."""


def build_all(site: Site, catalog: Catalog, population: Population) -> tuple[Roster, list[Network]]:
    """The devices of `site` so far, and its networks in the order in which its fabrics are declared."""
    roster = enrolled(site, population)
    networks = [_network(fabric, at, catalog, roster) for at, fabric in enumerate(site.fabrics)]
    built = []
    for network in networks:
        if network.fabric.topology in TOPOLOGIES:
            units, control = members(network.fabric, population)
            TOPOLOGIES[network.fabric.topology](network, units, control)
            built.append(network)
    inband = next((network for network in built if network.fabric.role == "inband"), None)
    for network in networks:
        if network.fabric.topology == "management":
            units, control = members(network.fabric, population)
            management.build(network, units, control, built)
            if inband:
                management.uplink(network, inband)
    return roster, networks


def enrolled(site: Site, population: Population) -> Roster:
    """All machines with their ports, split where a fabric deals the lanes of a port over its planes."""
    roster = Roster()

    @cache
    def listed(sku: str, pool: str) -> PortList:
        return ports.of_server(servers[sku], _lanes(site, pool, servers[sku].ports))

    everyone = population.all()
    servers = {machine.server.sku: machine.server for machine in everyone}
    for machine in everyone:
        roster.add(machine.name, machine.server, listed(machine.server.sku, machine.pool))
    return roster


def _lanes(site: Site, pool: str, groups: Sequence[object]) -> dict[str, int]:
    per_rail = {group.role: group.per_rail for group in groups}  # type: ignore[attr-defined]
    wanted = {fabric.role: fabric.planes for fabric in site.fabrics if not fabric.pools or pool in fabric.pools}
    return {role: max(1, planes // per_rail.get(role, 1)) for role, planes in wanted.items() if role in per_rail}


def _network(fabric: Fabric, at: int, catalog: Catalog, roster: Roster) -> Network:
    switch = catalog.switches[fabric.switch]
    spine = catalog.switches[fabric.spine_switch] if fabric.spine_switch else switch
    core = catalog.switches[fabric.core_switch] if fabric.core_switch else spine
    return Network(fabric, f"fabrics[{at}]", switch, spine, core, roster)


def members(fabric: Fabric, population: Population) -> tuple[list[Unit], list[Machine]]:
    """Units and control servers that `fabric` connects.

    A fabric with a list of pools connects those alone, but a storage fabric always has the storage servers on it, and an
    InfiniBand fabric its subnet managers.
    """
    units = [unit for unit in population.units if _connects(fabric, unit)]
    control = [
        machine
        for machine in population.control
        if machine.ports(fabric.role)
        and (not fabric.pools or (machine.role == "ufm" and fabric.transport == "infiniband"))
    ]
    return units, control


def _connects(fabric: Fabric, unit: Unit) -> bool:
    if not unit.machines[0].ports(fabric.role):
        return False
    return not fabric.pools or unit.pool.name in fabric.pools or (unit.role == "storage" and fabric.role == "storage")
