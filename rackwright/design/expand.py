"""The whole design on one page: from a site to everything that follows from it.

In: a site that `spec` has passed, and its catalog. Out: a `Design`. Pure and deterministic; each step is one module.
"""

from __future__ import annotations

from rackwright.catalog import Catalog
from rackwright.design import addressing, cabling, placement, population, power, tables, topology
from rackwright.design.totals import totals
from rackwright.model.design import Design
from rackwright.model.site import Site


def expand(site: Site, catalog: Catalog) -> Design:
    """The design of `site`.

    Raises `ProblemsError` when the site cannot be built: more ports wanted than switches have, racks or halls too small,
    subnets too small, no cable of a rate. The problems carry field paths; ``place`` is for the caller to fill in.
    """
    machines = population.machines(site, catalog)
    networks = topology.build_all(site, catalog, machines)
    layout = placement.place(site, catalog, machines, networks)
    runs = cabling.cables(networks, layout, catalog)
    found = addressing.addresses(networks, machines)
    circuits, psus = power.circuits(site.facility.power, layout)
    servers = {machine.server.sku: machine.server for machine in machines.present()}
    return Design(
        site=site,
        racks=tables.racks(layout),
        devices=tables.devices(layout),
        node_table=tables.nodes(machines, layout, networks, found),
        ports=tables.ports(machines, networks, runs),
        cables=tables.cables(runs),
        addresses=tables.addresses(found),
        circuits=tables.circuits(circuits),
        psus=tables.psus(psus),
        totals=totals(machines, layout, networks, runs),
        servers=servers,
        switches={network.switch.sku: network.switch for network in networks},
        accelerators={s.accelerator: catalog.accelerators[s.accelerator] for s in servers.values() if s.accelerator},
        cable_parts={run.part.sku: run.part for run in runs},
        rack_parts={place.rack.sku: place.rack for place in layout.places.values()},
    )
