"""Builds every fabric of a site, management last because it connects the switches of the others."""

from __future__ import annotations

from rackwright.catalog import Catalog
from rackwright.design.population import Machine, Population, Unit
from rackwright.design.topology import leaf_spine, management
from rackwright.design.topology.network import Network
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site

TOPOLOGIES = {
    "rail-optimized": leaf_spine.build,
    "fat-tree": leaf_spine.build,
    "leaf-spine": leaf_spine.build,
}
"""Topologies that are complete in themselves; ``management`` also needs the other fabrics."""


def build_all(site: Site, catalog: Catalog, population: Population) -> list[Network]:
    """The networks of `site`, in the order in which its fabrics are declared."""
    networks = [
        Network(fabric, f"fabrics[{i}]", catalog.switches[fabric.switch]) for i, fabric in enumerate(site.fabrics)
    ]
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
    return networks


def members(fabric: Fabric, population: Population) -> tuple[list[Unit], list[Machine]]:
    """Units and control servers that `fabric` connects.

    A fabric with a list of pools connects those alone, but an InfiniBand fabric always has its subnet managers on it.
    """
    units = [
        unit
        for unit in population.units
        if (not fabric.pools or unit.pool.name in fabric.pools) and unit.machines[0].ports(fabric.role)
    ]
    control = [
        machine
        for machine in population.control
        if machine.ports(fabric.role)
        and (not fabric.pools or (machine.role == "ufm" and fabric.transport == "infiniband"))
    ]
    return units, control
