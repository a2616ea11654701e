"""All steps from a site to a plan, before tables are filled.

Pure and deterministic; each step is one module. This part needs no Polars, is quick, and already refuses every site that
cannot be built.
"""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.catalog import Catalog
from rackwright.design import addressing, cabling, placement, population, power, topology
from rackwright.design.addressing import AddressPlan as Addresses
from rackwright.design.cabling import CableRun
from rackwright.design.cooling import names as cooling_names
from rackwright.design.placement import SiteLayout
from rackwright.design.population import Population
from rackwright.design.power import Hookup
from rackwright.design.topology import Network, Roster, standing_cables
from rackwright.model.facility import Facility
from rackwright.model.site import Site


@dataclass(frozen=True)
class DesignPlan:
    """The results of every step."""

    population: Population
    roster: Roster
    networks: list[Network]
    layout: SiteLayout
    runs: list[CableRun]
    addresses: Addresses
    power: Hookup


def plan_site(site: Site, catalog: Catalog) -> DesignPlan:
    """The plan of `site`.

    Raises `ProblemsError` when the site cannot be built: more ports needed than switches have, racks or halls too small, subnets too
    small, no cable of a rate. The problems carry field paths; the caller fills in ``place``.
    """
    machines = population.populate(site, catalog)
    roster, networks = topology.build_all(site, catalog, machines)
    standing_cables.keep(networks, site.existing.cables, {machine.id for machine in machines.control})
    layout = placement.place_devices(site, catalog, machines, networks)
    runs = cabling.cables(networks, layout, site.facility, catalog)
    hookup = power.wire_racks(site.facility.power, layout, catalog, site.facility.halls)
    declared = {machine.name for machine in machines.all() if machine.address}
    standing = addressing.StandingAddresses.of(site.existing, declared)
    of_devices = addressing.addresses(networks, machines, standing)
    addresses = _with_plant(site.facility, of_devices, layout, hookup, standing)
    return DesignPlan(machines, roster, networks, layout, runs, addresses, hookup)


def _with_plant(
    facility: Facility,
    addresses: Addresses,
    layout: SiteLayout,
    hookup: Hookup,
    standing: addressing.StandingAddresses,
) -> Addresses:
    """`addresses` with those of the CDUs, rack PDUs and power shelves that have a management interface."""
    liquid = facility.liquid is not None and facility.liquid.management != "none"
    racks = layout.places if facility.power.management != "none" else {}
    feeds = len(facility.power.feeds)
    return addressing.with_plant(
        addresses, cooling_names.cdus(facility) if liquid else [], power.list_managed(hookup, racks), feeds, standing
    )
