"""The questions for each machine, and the records that every node owes. Pure.

The run stores what is owed before the first question, so that a missing reading is an error and not a gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from rackwright.collect.collector import Collector, Collectors
from rackwright.collect.output import Ask
from rackwright.collect.store.hash_chain import digest
from rackwright.model.design import NODE_COLUMNS, Design, Node
from rackwright.model.equipment import Equipment, equipment

SUBNET_ROLE = "ufm"
SCHEDULER_ROLE = "slurm"
ADAPTER = "{adapter}"
"""Placeholder in the command of a subnet collector: the adapter of the queried machine."""
NODE = "{node}"
"""Placeholder in the command of a node's collector: the name of the node."""
TORCH_PYTHON = "{torch_python}"
"""Placeholder in the command of a node's collector: the Python with PyTorch that the site names."""
WITNESSES = 2
"""Number of nodes that report a subnet in which none of our subnet managers has a port; one of the nodes may be dead."""


@dataclass(frozen=True)
class CollectPlan:
    """One run of the collect stage."""

    site: str
    asks: Mapping[str, tuple[Ask, ...]]
    """The questions for each machine over its one SSH connection."""
    hosts: Mapping[str, str]
    """In-band address of every machine in `asks`."""
    bmcs: Mapping[str, str]
    """Node -> address of its BMC; also name -> address of all other Redfish devices (rack PDUs, CDUs)."""
    owed: Mapping[str, tuple[str, ...]]
    """For each node of the run, and each rack PDU and CDU of its racks: ids of the collectors that owe it a record."""
    adapters: Mapping[str, Mapping[str, str]]
    """Node -> its InfiniBand adapters, each with the fabric that the design plugs it into."""
    designs: Mapping[str, str]
    """Node -> its `node_digest`."""


def plan_requests(design: Design, nodes: Sequence[str], collectors: Collectors, *, load: bool = False) -> CollectPlan:
    """The questions for `nodes`, and those for the subnet manager and the scheduler even if these are not among them.

    With `load` the questions of a burn-in, otherwise those that disturb no job. KeyError for a node that the design
    does not have.
    """
    by_name = {node.name: node for node in design.nodes()}
    chosen = [by_name[name] for name in nodes]
    collectors = {name: entry for name, entry in collectors.items() if entry.load == load and entry.scope != "group"}
    asks: dict[str, list[Ask]] = {node.name: [] for node in chosen}
    python = design.site.acceptance.torch_python
    for identity, collector in collectors.items():
        if collector.scope == "node":
            for node in chosen:
                if owes_record(node, collector):
                    asks[node.name].append(_build_ask(identity, collector, node=node.name, python=python))
        elif collector.scope in ("subnet", "scheduler") and any(owes_record(node, collector) for node in chosen):
            for name, ask in _site_wide(design, chosen, identity, collector):
                asks.setdefault(name, []).append(ask)
    units = [(entry, _equipment_collectors(entry, collectors)) for entry in equipment(design, nodes)]
    bmcs = {node.name: node.bmc_address for node in chosen if any(c.scope == "bmc" for c in collectors.values())}
    owed = {node.name: tuple(i for i, c in collectors.items() if owes_record(node, c)) for node in chosen}
    return CollectPlan(
        site=design.site.site,
        asks={name: tuple(questions) for name, questions in asks.items() if questions},
        hosts={name: by_name[name].inband_address for name, questions in asks.items() if questions},
        bmcs=bmcs | {entry.name: entry.address for entry, identities in units if identities},
        owed=owed | {entry.name: identities for entry, identities in units if identities},
        adapters=infiniband_ports(design, nodes),
        designs={node.name: node_digest(node) for node in chosen},
    )


def node_digest(node: Node) -> str:
    """Hash of the design's description of a node and its place: evidence with another hash is about another machine."""
    fields = [getattr(node, name) for name in NODE_COLUMNS]
    return digest(repr([*fields, node.server.sku, node.accelerators]).encode())


def _equipment_collectors(unit: Equipment, collectors: Collectors) -> tuple[str, ...]:
    """Ids of the collectors for a rack PDU or CDU."""
    return tuple(i for i, entry in collectors.items() if entry.scope == "equipment" and unit.kind in entry.roles)


def owes_record(node: Node, collector: Collector) -> bool:
    """Whether `node` owes the record of `collector`, by its role, vendor, scheduler and `collector.owed`."""
    if collector.scope == "scheduler" and node.scheduler != SCHEDULER_ROLE:
        return False
    vendor = node.accelerator.vendor if node.accelerator else ""
    if collector.schedulers and node.scheduler not in collector.schedulers:
        return False
    applies = node.role in collector.roles and (not collector.vendors or vendor in collector.vendors)
    return applies and collector.owed(node)


def _build_ask(
    identity: str, collector: Collector, subject: str = "", adapter: str = "", node: str = "", python: str = ""
) -> Ask:
    values = {ADAPTER: adapter, NODE: node, TORCH_PYTHON: python}
    command = tuple(values.get(word, word) for word in collector.command)
    return Ask(
        identity, collector.seconds, command, collector.library, subject, collector.as_root, folders=collector.folders
    )


def _site_wide(design: Design, chosen: Sequence[Node], identity: str, collector: Collector) -> list[tuple[str, Ask]]:
    """The questions that one machine answers for the whole site, each with the name of that machine."""
    if collector.scope == "scheduler":
        return [(name, _build_ask(identity, collector)) for name in _serving(design, chosen, SCHEDULER_ROLE)[:1]]
    managers = _serving(design, chosen, SUBNET_ROLE)
    remaining = [node.name for node in chosen if node.name not in managers]
    ports = infiniband_ports(design, [*managers, *remaining])
    questions = []
    for fabric in infiniband(design):
        subjects = [(name, port) for name in managers for port in _first_port_on(ports, name, fabric)]
        subjects = (
            subjects or [(name, port) for name in remaining for port in _first_port_on(ports, name, fabric)][:WITNESSES]
        )
        questions += [(name, _build_ask(identity, collector, fabric, port)) for name, port in subjects]
    return questions


def _serving(design: Design, chosen: Sequence[Node], role: str) -> list[str]:
    """The chosen machines of a role; the first one of the design if none was chosen."""
    return [node.name for node in chosen if node.role == role] or [node.name for node in design.nodes(role)][:1]


def _first_port_on(ports: Mapping[str, Mapping[str, str]], name: str, fabric: str) -> list[str]:
    """The first port of a machine on a fabric, if it has one."""
    return [port for port, role in ports.get(name, {}).items() if role == fabric][:1]


def infiniband(design: Design) -> list[str]:
    """Names of the InfiniBand fabrics of the site."""
    return [fabric.name for fabric in design.site.fabrics if fabric.transport == "infiniband"]


def infiniband_ports(design: Design, nodes: Sequence[str]) -> dict[str, dict[str, str]]:
    """Machine -> its InfiniBand ports with a cable, in port order, each with the fabric of that cable."""
    matching = pl.col("device").is_in(list(nodes)) & pl.col("fabric").is_in(infiniband(design))
    by_node: dict[str, dict[str, str]] = {}
    for row in design.ports.filter(matching & pl.col("cable").is_not_null()).iter_rows(named=True):
        by_node.setdefault(row["device"], {})[row["port"]] = row["fabric"]
    return by_node
