"""The expanded site: complete, immutable, with nothing left to choose.

A `Design` is a set of Polars tables, not a graph of objects, so that a very large site still expands in seconds. The
column names and types of each table are its public interface and stand in ``schemas.py``; row order is the order in
which an engineer counts (hall, row, rack, unit; pool, index; device, port), and is part of determinism.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import polars as pl

from rackwright.base import content
from rackwright.model import lanes
from rackwright.model.parts import Part
from rackwright.model.peripheral import Nic, Optic
from rackwright.model.schemas import empty
from rackwright.model.site import Site
from rackwright.model.sku import Accelerator, Cable, Rack, Server, Switch
from rackwright.model.vendor import Vendor


def unit_name(pool: str, number: int) -> str:
    """Name of a scalable unit, as nodes carry it in their labels."""
    return f"{pool}-su{number}"


@dataclass(frozen=True)
class Node:
    """One machine of the design; a row of ``nodes`` with its SKU."""

    name: str
    pool: str
    role: str
    rack: str
    unit: int
    scalable_unit: int
    index: int
    accelerators: int
    """Devices as the driver shows them: twice the number of parts where each of these is two devices."""
    inband_address: str
    bmc_address: str
    scheduler: str
    server: Server
    """Its SKU, with ports as the fabrics of its pool split them."""
    accelerator: Accelerator | None
    """One of these devices."""

    @property
    def accelerator_ports(self) -> frozenset[str]:
        """Names of ports that belong to an accelerator and are not devices of the host (`Accelerator.own_port`)."""
        part = self.accelerator
        if part is None or not part.own_port:
            return frozenset()
        groups = (group for group in self.server.ports if group.adapter and part.model.startswith(group.adapter))
        return frozenset(name for group in groups for name in group.names)


NODE_COLUMNS = tuple(
    name for name in Node.__dataclass_fields__ if name not in ("name", "server", "accelerator", "accelerators")
)
"""Fields of a `Node` that are columns of ``nodes`` by the same name."""


class Link(NamedTuple):
    """One planned cable seen from a device: own port, far device, far port. A tuple, because a large site has a hundred thousand of them."""

    fabric: str
    cable: str
    port: str
    remote_device: str
    remote_port: str
    gbps: int
    remote_number: int = 0
    """Number of the far port on its device, as the fabric itself counts (`ibnetdiscover`)."""
    sku: str = ""
    """SKU of the cable."""
    meters: float = 0.0
    """Ordered length of the cable."""


@dataclass(frozen=True)
class Design:
    """The site, fully expanded."""

    site: Site
    racks: pl.DataFrame
    devices: pl.DataFrame
    node_table: pl.DataFrame
    ports: pl.DataFrame
    cables: pl.DataFrame
    addresses: pl.DataFrame
    circuits: pl.DataFrame
    psus: pl.DataFrame
    totals: dict[str, Any]
    servers: dict[str, Server]
    """Server SKUs in use, by id, with whole ports."""
    switches: dict[str, Switch]
    accelerators: dict[str, Accelerator]
    vendors: dict[str, Vendor] = field(default_factory=dict)
    """Makers of `accelerators`, by name; those without a file are left out."""
    cable_parts: dict[str, Cable] = field(default_factory=dict)
    """Cable SKUs in use, by id."""
    optic_parts: dict[str, Optic] = field(default_factory=dict)
    """Transceiver SKUs of these cables, by id."""
    nic_parts: dict[str, Nic] = field(default_factory=dict)
    """Adapters of `servers` that the catalog has, by the name that a server gives them."""
    rack_parts: dict[str, Rack] = field(default_factory=dict)
    """Rack SKUs in use, by id."""
    plant_parts: dict[str, Part] = field(default_factory=dict)
    """SKUs of everything else in use (UPS, PDU, CDU, CRAH, coolant ...), by id."""
    power: pl.DataFrame = field(default_factory=empty("power"))
    cooling: pl.DataFrame = field(default_factory=empty("cooling"))
    networks: pl.DataFrame = field(default_factory=empty("networks"))
    plugs: pl.DataFrame = field(default_factory=pl.DataFrame)
    """Where cables are plugged in, by sort of cage and end (`rackwright.design.cages`)."""
    losses: pl.DataFrame = field(default_factory=empty("losses"))
    bill: pl.DataFrame = field(default_factory=empty("bill"))
    studies: dict[str, Any] = field(default_factory=dict)
    """Further results, ready for JSON, units in the names: ``fabrics``, ``storage``, ``availability``, ``cost`` ..."""
    roots: content.Roots = field(default_factory=content.shipped)
    """Where the content of the site is: checks, collectors, limits, gates and roles are read from here."""

    def nodes(self, role: str | None = None) -> list[Node]:
        """Every machine, in design order; with `role` only those (``accelerator``, ``slurm``, ``ufm``)."""
        return [node for node in self._nodes if role in (None, node.role)]

    def node(self, name: str) -> Node:
        """The machine called `name`; KeyError when the design has none."""
        return self._nodes[self._places[name]]

    @cached_property
    def _nodes(self) -> tuple[Node, ...]:
        """Every machine; built once, because each stage needs them many times."""
        return tuple(map(self._node, self.node_table.iter_rows(named=True)))

    @cached_property
    def _places(self) -> dict[str, int]:
        """Machine -> its row in `node_table`."""
        return {name: place for place, name in enumerate(self.node_table["node"])}

    def links(self, device: str) -> list[Link]:
        """The planned cables of `device`, in port order."""
        cables = self.cables
        near = cables.filter(pl.col("a_device") == device)
        far = cables.filter(pl.col("b_device") == device)
        ends = [(r, "a", "b") for r in near.iter_rows(named=True)] + [(r, "b", "a") for r in far.iter_rows(named=True)]
        devices = {device, *(row[f"{far_side}_device"] for row, _, far_side in ends)}
        ports = self.ports.filter(pl.col("device").is_in(list(devices)))
        number = {(r["device"], r["fabric"], r["port"]): r["number"] for r in ports.iter_rows(named=True)}
        links = [_link(row, near_side, far_side, number) for row, near_side, far_side in ends]
        return sorted(links, key=lambda link: (link.fabric, number.get((device, link.fabric, link.port), 0)))

    @cached_property
    def _devices(self) -> dict[str, Accelerator]:
        """Accelerator SKU -> the record of one of its devices (`Accelerator.per_device`)."""
        return {sku: part.per_device() for sku, part in self.accelerators.items()}

    @cached_property
    def _split(self) -> dict[tuple[str, str], Server]:
        """(SKU, pool) -> the server with its ports split as that pool splits them."""
        pairs = self.node_table.select("sku", "pool").unique().iter_rows()
        skus = self.servers
        return {(sku, pool): lanes.split(skus[sku], lanes.by_role(self.site, pool, skus[sku])) for sku, pool in pairs}

    def _node(self, row: dict[str, Any]) -> Node:
        server = self._split[row["sku"], row["pool"]]
        accelerator = self._devices[server.accelerator] if server.accelerator else None
        count = row["accelerators"] * (accelerator.devices if accelerator else 1)
        columns = {column: row[column] for column in NODE_COLUMNS}
        return Node(name=row["node"], **columns, accelerators=count, server=server, accelerator=accelerator)


def _link(row: dict[str, Any], near_side: str, far_side: str, number: dict[tuple[str, str, str], int]) -> Link:
    device, port = row[f"{far_side}_device"], row[f"{far_side}_port"]
    return Link(
        fabric=row["fabric"],
        cable=row["cable"],
        port=row[f"{near_side}_port"],
        remote_device=device,
        remote_port=port,
        gbps=row["gbps"],
        remote_number=number.get((device, row["fabric"], port), 0),
        sku=row["sku"] or "",
        meters=row["length_meters"] or 0.0,
    )
