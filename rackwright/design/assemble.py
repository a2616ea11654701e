"""From a site to its `Design`: compute the plan, then fill the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rackwright.catalog import Catalog
from rackwright.design import (
    availability,
    bill,
    cages,
    cost,
    deployment,
    metrics,
    published,
    slices,
    storage,
    tables,
    wiring,
)
from rackwright.design.addressing import text
from rackwright.design.columns import RosterColumns
from rackwright.design.cooling import media
from rackwright.design.cooling.design_step import add_cooling as add_cooling
from rackwright.design.plan import plan_site
from rackwright.design.power.caps import list_caps, with_caps
from rackwright.design.power.study import add_power as add_power
from rackwright.design.totals import FLOWS, totals
from rackwright.model.design import Design
from rackwright.model.site import Site

Step = Callable[[Design, Catalog], Design]
PLANT: tuple[Step, ...] = (add_power, add_cooling)
STEPS: tuple[Step, ...] = (
    *PLANT,
    cages.add,
    metrics.add,
    storage.add,
    slices.add,
    bill.count,
    availability.add,
    bill.add,
    cost.add,
    deployment.add,
    published.add,
)
"""What is computed from the finished tables, in this order."""
FABRICS: tuple[Step, ...] = (cages.add, metrics.add)


def expand(site: Site, catalog: Catalog, steps: tuple[Step, ...] = STEPS) -> Design:
    """The design of `site`; with `steps` `PLANT` its tables, power and cooling alone. Raises what `plan_site` raises."""
    caps = list_caps(site, catalog)
    catalog = with_caps(site.facility.power, catalog)
    design = _tables(site, catalog)
    design = replace(design, studies={**design.studies, "caps": caps}) if caps else design
    for add in steps:
        design = add(design, catalog)
    return design


def wire(site: Site, catalog: Catalog) -> Design:
    """The tables of `site` and the figures of its fabrics, without power, cooling and cost. Raises what `plan_site` raises."""
    wired = expand(site, catalog, FABRICS)
    return replace(wired, totals={name: value for name, value in wired.totals.items() if name not in FLOWS})


def _tables(site: Site, catalog: Catalog) -> Design:
    steps = plan_site(site, catalog)
    columns = RosterColumns(steps.roster)
    cable_table = wiring.cables(steps.runs, columns)
    address_table = text.addresses(steps.addresses, columns)
    servers = {machine.server.sku: machine.server for machine in steps.population.present()}
    accelerators = {s.accelerator: catalog.accelerators[s.accelerator] for s in servers.values() if s.accelerator}
    cables = {part.sku: part for run in steps.runs for part in run.used()}
    optics = {sku for part in cables.values() for sku in (part.optic, part.node_optic) if sku}
    adapters = {group.adapter: catalog.adapter(group.adapter) for server in servers.values() for group in server.ports}
    makers = {part.vendor for part in accelerators.values()}
    return Design(
        site=site,
        racks=tables.racks(steps.layout, media(site, catalog)),
        devices=tables.devices(steps.layout),
        node_table=tables.nodes(steps.population, steps.layout, steps.networks, address_table),
        ports=wiring.ports(steps.population, steps.networks, cable_table, steps.runs, columns),
        cables=cable_table,
        addresses=address_table,
        networks=text.networks(steps.addresses, steps.networks),
        circuits=tables.circuits(steps.power),
        psus=tables.psus(steps.power),
        totals=totals(steps.population, steps.layout, steps.networks, steps.runs, media(site, catalog)),
        servers=servers,
        switches={member.part.sku: member.part for network in steps.networks for member in network.members},
        accelerators=accelerators,
        vendors={name: part for name, part in catalog.vendors.items() if name in makers},
        cable_parts=cables,
        optic_parts={sku: catalog.optics[sku] for sku in sorted(optics) if sku in catalog.optics},
        nic_parts={name: part for name, part in adapters.items() if part},
        rack_parts={place.rack.sku: place.rack for place in steps.layout.places.values()},
        roots=catalog.roots,
    )
