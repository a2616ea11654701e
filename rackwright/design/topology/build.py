"""Builds every fabric of a site, management last because it connects the switches of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from rackwright.catalog import Catalog
from rackwright.design import ports
from rackwright.design.population import MachineSlot, Population, ScalableUnit
from rackwright.design.ports import PortList, ScaleUp
from rackwright.design.topology import (
    alternatives,
    collapsed,
    dragonfly,
    dragonfly_plus,
    guests,
    leaf_spine,
    management,
    mesh,
    nvlink,
    port_numbers,
    scheduled,
)
from rackwright.design.topology.network import Network, Roster, UnconnectedError
from rackwright.model import lanes
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site
from rackwright.model.sku import Server

MANAGER = "ufm"
"""Role of the control servers that run subnet managers."""
TOPOLOGIES: Mapping[str, Callable[[Network, Sequence[ScalableUnit], Sequence[MachineSlot]], None]] = {
    "rail-optimized": leaf_spine.build,
    "fat-tree": leaf_spine.build,
    "leaf-spine": leaf_spine.build,
    "collapsed-core": collapsed.build,
    "full-mesh": mesh.build,
    "scheduled": scheduled.build,
    "dragonfly": dragonfly.build,
    "dragonfly-plus": dragonfly_plus.build,
    "nvlink": nvlink.build,
}
"""Topologies that are complete in themselves; ``management`` also needs the other fabrics."""


def build_all(site: Site, catalog: Catalog, population: Population) -> tuple[Roster, list[Network]]:
    """The roster of all devices, and the networks in the order in which the fabrics are declared.

    Raises `ProblemsError`; if a fabric cannot be connected as declared, the error names alternatives.
    """
    roster = machines_with_ports(site, catalog, population)
    networks = _networks(site, catalog, roster)
    for at, network in enumerate(networks):
        try:
            _fill(network, population)
        except UnconnectedError as error:
            raise alternatives.name_alternatives(error, site, catalog, at, _single_fabric) from None
    inband = next((candidate for candidate in networks if candidate.fabric.role == "inband"), None)
    for network in networks:
        if network.fabric.topology == "management":
            units, control = members(network.fabric, population)
            network.first_pool = units[0].pool.name if units else ""
            others = [candidate for candidate in networks if candidate is not network]
            management.build(network, units, control, others, {device.device for device in site.existing.devices})
            if inband:
                management.uplink(network, inband)
    return roster, networks


def _fill(network: Network, population: Population) -> None:
    topology = network.fabric.topology
    if topology not in TOPOLOGIES or network.owner:
        return
    units, control = members(network.fabric, population)
    if topology == "nvlink":
        units = [unit for unit in units if network.roster.ports[unit.machines[0].id].of_role("nvlink")]
    if units:
        network.first_pool = units[0].pool.name
        network.managers = frozenset(machine.id for machine in control if machine.role == MANAGER)
        joining = [guests.Joining(guest, *members(guest.fabric, population)) for guest in network.guests]
        guests.build(network, lambda candidate: TOPOLOGIES[topology](candidate, units, control), joining)
        port_numbers.refuse_unnumbered(network)


def _single_fabric(site: Site, catalog: Catalog, population: Population, at: int) -> Network:
    """Fabric `at` of `site` built by itself, to try an alternative."""
    network = _networks(site, catalog, machines_with_ports(site, catalog, population))[at]
    _fill(network, population)
    return network


def _networks(site: Site, catalog: Catalog, roster: Roster) -> list[Network]:
    """The networks of `site`, still empty, each with those that its switches are shared with."""
    networks = [_network(fabric, at, catalog, roster) for at, fabric in enumerate(site.fabrics)]
    by_name = {network.fabric.name: network for network in networks}
    for network in networks:
        if network.fabric.switches_of:
            network.owner = by_name[network.fabric.switches_of]
            network.owner.guests.append(network)
    return networks


def machines_with_ports(site: Site, catalog: Catalog, population: Population) -> Roster:
    """All machines with their ports, split where a fabric deals the lanes of a port over its planes.

    Accelerators whose links leave the node list them where a fabric of role ``nvlink`` connects their pool.
    """
    roster = Roster()
    everyone = population.all()
    servers = {machine.server.sku: machine.server for machine in everyone}

    @cache
    def listed(sku: str, pool: str) -> PortList:
        server = servers[sku]
        joined = any(fabric.role == "nvlink" and (not fabric.pools or pool in fabric.pools) for fabric in site.fabrics)
        split = lanes.split(server, lanes.by_role(site, pool, server))
        return ports.of_server(split, scale_up(server, catalog) if joined else None)

    for machine in everyone:
        roster.add(machine.name, machine.server, listed(machine.server.sku, machine.pool))
    return roster


def scale_up(server: Server, catalog: Catalog) -> ScaleUp | None:
    """The NVLinks of every accelerator of `server`, when no NVSwitch inside it ends them."""
    part = catalog.accelerators.get(server.accelerator or "")
    if part is None or not part.nvlink_links or server.nvswitches:
        return None
    bits = 8
    return ScaleUp(part.nvlink_links, round(part.nvlink_gbytes_per_s_per_link * bits))


def _network(fabric: Fabric, at: int, catalog: Catalog, roster: Roster) -> Network:
    switch = catalog.switches[fabric.switch]
    spine = catalog.switches[fabric.spine_switch] if fabric.spine_switch else switch
    core = catalog.switches[fabric.core_switch] if fabric.core_switch else spine
    return Network(fabric, f"fabrics[{at}]", switch, spine, core, roster)


def members(fabric: Fabric, population: Population) -> tuple[list[ScalableUnit], list[MachineSlot]]:
    """Units and control servers that `fabric` connects.

    A fabric with a list of pools connects those alone, but a storage fabric always has the storage servers on it, and an
    InfiniBand fabric its subnet managers.
    """
    units = [unit for unit in population.units if _unit_has_ports(fabric, unit)]
    control = [
        machine
        for machine in population.control
        if machine.ports(fabric.role)
        and (not fabric.pools or (machine.role == "ufm" and fabric.transport == "infiniband"))
    ]
    return units, control


def _unit_has_ports(fabric: Fabric, unit: ScalableUnit) -> bool:
    if fabric.role == "nvlink":
        return bool(unit.server.accelerators) and (not fabric.pools or unit.pool.name in fabric.pools)
    if not unit.machines[0].ports(fabric.role):
        return False
    return not fabric.pools or unit.pool.name in fabric.pools or (unit.role == "storage" and fabric.role == "storage")
