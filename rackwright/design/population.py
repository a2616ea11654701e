"""Which machines there are: the nodes of the pools, unit by unit, and the control servers.

In: site and catalog. Out: `Population`. Slots of a scalable unit that hold no node yet are kept as absent machines, so
that racks, ports, cables and addresses are reserved for them and adding a node moves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.catalog import Catalog
from rackwright.design import naming
from rackwright.model.site import ControlServers, Pool, Site
from rackwright.model.sku import Server, ServerPort


@dataclass(frozen=True)
class Machine:
    """A machine, or the slot kept for one."""

    name: str
    pool: str
    """Pool, or role for a control server."""
    role: str
    server: Server
    unit: int
    """Scalable unit, from 1; 0 for control servers."""
    index: int
    slot: int
    """Place within the unit, from 0."""
    scheduler: str
    present: bool

    def ports(self, role: str) -> list[tuple[str, ServerPort]]:
        """Port names of one fabric role with the group each belongs to."""
        return [(name, group) for group in self.server.ports if group.role == role for name in group.names]


@dataclass(frozen=True)
class Unit:
    """One scalable unit of a pool, absent slots included."""

    pool: Pool
    path: str
    """Field path of the pool in the site."""
    number: int
    machines: tuple[Machine, ...]


@dataclass(frozen=True)
class Population:
    """All machines in design order: pools as declared, then control servers."""

    units: tuple[Unit, ...]
    control: tuple[Machine, ...]

    def present(self) -> list[Machine]:
        """Machines that exist, without reserved slots."""
        return [machine for unit in self.units for machine in unit.machines if machine.present] + list(self.control)


def machines(site: Site, catalog: Catalog) -> Population:
    """The population of `site`."""
    units = [
        unit for i, pool in enumerate(site.pools) for unit in _units(pool, f"pools[{i}]", catalog.servers[pool.server])
    ]
    control = []
    if site.control.slurm:
        control += _control("slurm", site.control.slurm.controllers, catalog)
    if site.control.ufm:
        control += _control("ufm", site.control.ufm.servers, catalog)
    return Population(tuple(units), tuple(control))


def unit_count(pool: Pool) -> int:
    """Scalable units that a pool needs."""
    return -(-pool.count // pool.scalable_unit)


def _units(pool: Pool, path: str, server: Server) -> list[Unit]:
    size = pool.scalable_unit
    return [
        Unit(pool, path, number, tuple(_node(pool, server, number, slot) for slot in range(size)))
        for number in range(1, unit_count(pool) + 1)
    ]


def _node(pool: Pool, server: Server, unit: int, slot: int) -> Machine:
    index = (unit - 1) * pool.scalable_unit + slot + 1
    name = naming.node(pool.name, index)
    return Machine(name, pool.name, "accelerator", server, unit, index, slot, pool.scheduler, index <= pool.count)


def _control(role: str, servers: ControlServers, catalog: Catalog) -> list[Machine]:
    server = catalog.servers[servers.server]
    return [
        Machine(naming.control(role, index), role, role, server, 0, index, index - 1, "none", present=True)
        for index in range(1, servers.count + 1)
    ]
