"""From a site to its `Design`: plan, then put the plan into tables."""

from __future__ import annotations

from collections.abc import Callable

from rackwright.catalog import Catalog
from rackwright.design import availability, bill, cost, deployment, metrics, published, storage, tables, wiring
from rackwright.design.addressing import text
from rackwright.design.columns import Columns
from rackwright.design.cooling import media
from rackwright.design.cooling.step import add as add_cooling
from rackwright.design.plan import plan
from rackwright.design.power.study import add_power as add_power
from rackwright.design.totals import totals
from rackwright.model.design import Design
from rackwright.model.site import Site

STEPS: tuple[Callable[[Design, Catalog], Design], ...] = (
    add_power,
    add_cooling,
    metrics.add,
    storage.add,
    bill.count,
    availability.add,
    bill.add,
    cost.add,
    deployment.add,
    published.add,
)
"""What is worked out from the finished tables, in this order."""


def expand(site: Site, catalog: Catalog) -> Design:
    """The design of `site`. Raises what `plan` raises."""
    made = _tables(site, catalog)
    for add in STEPS:
        made = add(made, catalog)
    return made


def _tables(site: Site, catalog: Catalog) -> Design:
    made = plan(site, catalog)
    columns = Columns(made.roster)
    cable_table = wiring.cables(made.runs, columns)
    address_table = text.addresses(made.addresses, columns)
    servers = {machine.server.sku: machine.server for machine in made.population.present()}
    return Design(
        site=site,
        racks=tables.racks(made.layout, media(site, catalog)),
        devices=tables.devices(made.layout),
        node_table=tables.nodes(made.population, made.layout, made.networks, address_table),
        ports=wiring.ports(made.population, made.networks, cable_table, made.runs, columns),
        cables=cable_table,
        addresses=address_table,
        networks=text.networks(made.addresses, made.networks),
        circuits=tables.circuits(made.power),
        psus=tables.psus(made.power),
        totals=totals(made.population, made.layout, made.networks, made.runs, media(site, catalog)),
        servers=servers,
        switches={member.part.sku: member.part for network in made.networks for member in network.members},
        accelerators={s.accelerator: catalog.accelerators[s.accelerator] for s in servers.values() if s.accelerator},
        cable_parts={run.part.sku: run.part for run in made.runs},
        rack_parts={place.rack.sku: place.rack for place in made.layout.places.values()},
    )
