"""The machines of a site: the nodes of the pools, unit by unit, storage servers, and the control servers.

Slots of a scalable unit without a node are kept as absent machines, so that racks, ports, cables and addresses are reserved
for them and adding a node moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog import Catalog
from rackwright.design import naming
from rackwright.model.control import ControlServers
from rackwright.model.device import FIGURES, InventoryDevice, UnmanagedDevices
from rackwright.model.site import Pool, Site
from rackwright.model.sku import Server, ServerPort
from rackwright.model.workload import StorageTier


@dataclass(frozen=True)
class MachineSlot:
    """A machine, or the slot reserved for one."""

    id: int
    """Number over the whole site, from 0, absent machines included."""
    name: str
    pool: str
    """Pool, storage tier, or role for a control server."""
    role: str
    """accelerator (nodes of pools), storage, unmanaged, slurm, kubernetes, ufm."""
    server: Server
    unit: int
    """Scalable unit, from 1; 0 for control servers."""
    index: int
    slot: int
    """Place within the unit, from 0."""
    scheduler: str
    present: bool
    address: str = ""
    """In-band address that the machine has already."""

    def ports(self, role: str) -> list[tuple[str, ServerPort]]:
        """Port names of one fabric role with the group each belongs to."""
        return [(name, group) for group in self.server.ports if group.role == role for name in group.names]


@dataclass(frozen=True)
class ScalableUnit:
    """One scalable unit of a pool, absent slots included, all servers of a storage tier, or a set of unmanaged devices."""

    pool: Pool
    path: str
    """Field path of the pool, tier or set in the site."""
    number: int
    machines: tuple[MachineSlot, ...]

    @property
    def role(self) -> str:
        """accelerator, storage or unmanaged."""
        return self.machines[0].role

    @property
    def server(self) -> Server:
        """The one server SKU of the unit."""
        return self.machines[0].server


@dataclass(frozen=True)
class Population:
    """All machines in design order: pools as declared, then storage tiers, unmanaged devices, control servers."""

    units: tuple[ScalableUnit, ...]
    control: tuple[MachineSlot, ...]

    def present(self) -> list[MachineSlot]:
        """Machines that exist, without reserved slots."""
        return [machine for machine in self.all() if machine.present]

    def all(self) -> list[MachineSlot]:
        """All machines, by number."""
        return [machine for unit in self.units for machine in unit.machines] + list(self.control)


def populate(site: Site, catalog: Catalog) -> Population:
    """The population of `site`."""
    ids = count()
    units = [unit for at, pool in enumerate(site.pools) for unit in _units(pool, f"pools[{at}]", catalog, ids)]
    units += [_storage(tier, at, catalog, ids) for at, tier in enumerate(site.storage) if tier.servers]
    units += [_unmanaged(entry, at, catalog, ids) for at, entry in enumerate(site.unmanaged)]
    control: list[MachineSlot] = []
    if site.control.slurm:
        control += _control("slurm", site.control.slurm.controllers, catalog, ids)
    if site.control.kubernetes and site.control.kubernetes.servers:
        control += _control("kubernetes", site.control.kubernetes.servers, catalog, ids)
    if site.control.ufm:
        control += _control("ufm", site.control.ufm.servers, catalog, ids)
    population = Population(tuple(units), tuple(control))
    if problems := list(_same_names(site, population)):
        raise ProblemsError(problems)
    return population


def _same_names(site: Site, population: Population) -> Iterator[Problem]:
    """Problems of hosts with the name of another machine; names from the design alone never clash."""
    machines: dict[str, MachineSlot] = {}
    for machine in population.present() if any(pool.hosts for pool in site.pools) else []:
        peer = machines.setdefault(machine.name, machine)
        if peer is not machine:
            named = machine if machine.role == "accelerator" else peer
            pools = [pool.name for pool in site.pools]
            yield Problem(
                place="site",
                path=f"pools[{pools.index(named.pool)}].hosts[{named.index - 1}].name",
                message="two machines have this name",
                expected="a name of its own for every machine, those that the design gives included",
                found=machine.name,
                next_step="rename the host, or the pool whose nodes are called alike",
                code="design.same_name",
            )


def unit_count(pool: Pool) -> int:
    """Scalable units that a pool needs."""
    return -(-pool.count // pool.scalable_unit)


def _units(pool: Pool, path: str, catalog: Catalog, ids: Iterator[int]) -> Iterator[ScalableUnit]:
    server, size, moved = catalog.servers[pool.server], pool.scalable_unit, dict(pool.moved())
    for number in range(1, unit_count(pool) + 1):
        slots = tuple(_node(pool, server, number, slot, next(ids), moved=moved) for slot in range(size))
        yield ScalableUnit(pool, path, number, slots)


def _node(
    pool: Pool,
    server: Server,
    unit: int,
    slot: int,
    number: int,
    role: str = "accelerator",
    *,
    moved: Mapping[str, str],
) -> MachineSlot:
    index = (unit - 1) * pool.scalable_unit + slot + 1
    present = index <= pool.count
    address = pool.hosts[index - 1].address if index <= len(pool.hosts) else ""
    name = pool.node_name(index)
    scheduler = moved.get(name, pool.scheduler)
    return MachineSlot(number, name, pool.name, role, server, unit, index, slot, scheduler, present, address)


def _storage(tier: StorageTier, at: int, catalog: Catalog, ids: Iterator[int]) -> ScalableUnit:
    assert tier.servers is not None, "only tiers with servers of their own are called"
    server = catalog.servers[tier.servers.server]
    return _one_unit(tier.name, server, tier.servers.count, "storage", f"storage[{at}]", ids)


def _unmanaged(entry: UnmanagedDevices, at: int, catalog: Catalog, ids: Iterator[int]) -> ScalableUnit:
    server = racked_device(entry, catalog.devices[entry.device])
    return _one_unit(entry.name, server, entry.count, "unmanaged", f"unmanaged[{at}]", ids)


def _one_unit(name: str, server: Server, size: int, role: str, path: str, ids: Iterator[int]) -> ScalableUnit:
    """One unit of `size` equal machines that no scheduler uses."""
    pool = Pool(name=name, server=server.sku, count=size, servers_per_rack=size, scheduler="none", scalable_unit=size)
    return ScalableUnit(
        pool, path, 1, tuple(_node(pool, server, 1, slot, next(ids), role, moved={}) for slot in range(size))
    )


def racked_device(entry: UnmanagedDevices, device: InventoryDevice) -> Server:
    """An unmanaged device as racks, circuits and cooling see it: a machine without ports. Figures of the site go before those of the SKU."""
    figures = {name: getattr(entry, name) or getattr(device, name) for name in FIGURES}
    return Server(
        sku=device.sku, kind="server", manufacturer=device.manufacturer, model=device.model, sources=device.sources,
        list_price_usd=device.list_price_usd, depth_mm=device.depth_mm, airflow=device.airflow,
        cpu_sockets=0, cores_per_socket=0, memory_gib=0, ports=[], **figures,
    )  # fmt: skip


def _control(role: str, servers: ControlServers, catalog: Catalog, ids: Iterator[int]) -> list[MachineSlot]:
    server = catalog.servers[servers.server]
    return [
        MachineSlot(
            next(ids), naming.control(role, index), role, role, server, 0, index, index - 1, "none", present=True
        )
        for index in range(1, servers.count + 1)
    ]
