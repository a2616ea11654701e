"""What the nodes of one compute fabric are wired to, as numbers: the part of a design that tests between nodes can exercise.

Design tables hold names; a plan for thousands of nodes needs millions of look-ups, so it uses numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rackwright.base.errors import UsageError
from rackwright.model.design import Design

Ints = NDArray[np.int64]
NONE = -1
LEAST = 2


@dataclass(frozen=True, eq=False)
class NumberedWiring:
    """Nodes, rails (adapter port with its cable to the leaf), switches, cables between switches and NVLink domains, all by number."""

    fabric: str
    nodes: tuple[str, ...]
    """In design order: neighbours stand together."""
    accelerators: Ints
    """Shape (nodes,)."""
    rails: tuple[tuple[str, ...], ...]
    """Port names of every node, by slot; a node may have fewer than others."""
    leaf: Ints
    """Shape (nodes, slots): the switch of every rail, -1 where the node has no such rail."""
    switches: tuple[str, ...]
    cables: tuple[str, ...]
    """Cables between switches."""
    ends: Ints
    """Shape (cables, 2): the switches of every cable."""
    domain: Ints
    """Shape (nodes,): the NVLink domain that spans nodes, -1 where NVLink stays inside the node."""
    planes: tuple[tuple[str, ...], ...]
    """NVLink switches of every domain; each of them is a plane."""

    @property
    def slots(self) -> int:
        """Largest number of rails of a node."""
        return int(self.leaf.shape[1])

    def neighbours(self) -> Mapping[int, Mapping[int, list[int]]]:
        """Switch -> next switch -> the cables between them."""
        cables: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for cable, (a, b) in enumerate(self.ends.tolist()):
            cables[a][b].append(cable)
            cables[b][a].append(cable)
        return cables


def fabrics(design: Design) -> list[str]:
    """Names of the fabrics between accelerator nodes that collectives run over."""
    return [fabric.name for fabric in design.site.fabrics if fabric.role == "compute"]


def number_wiring(design: Design, fabric: str = "", only: Collection[str] | None = None) -> NumberedWiring:
    """The wiring of `fabric`, by default the only compute fabric, between all of its accelerator nodes or `only` these.

    Raises UsageError when there is no such fabric, when the choice is ambiguous, or when fewer than two nodes remain.
    """
    names = fabrics(design)
    if not fabric and len(names) != 1:
        raise UsageError(
            f"the site has {len(names)} compute fabrics ({', '.join(names) or 'none'}): name one with --fabric"
        )
    if fabric and fabric not in names:
        raise UsageError(
            f"--fabric {fabric}: the site has no compute fabric of this name; there are {', '.join(names)}"
        )
    name = fabric or names[0]
    cables = design.cables.filter(pl.col("fabric") == name)
    table = design.node_table.filter(pl.col("role") == "accelerator")
    hosts = cables.filter(pl.col("a_device").is_in(table["node"].to_list()))
    table = table.filter(pl.col("node").is_in(hosts["a_device"].unique().to_list()))
    table = table if only is None else table.filter(pl.col("node").is_in(list(only)))
    if table.height < LEAST:
        raise UsageError(f"fabric {name}: a test needs two accelerator nodes, and {table.height} of it were chosen")
    between = cables.join(hosts.select("cable"), on="cable", how="anti")
    switches = design.devices.filter((pl.col("kind") == "switch") & (pl.col("fabric") == name))["device"].to_list()
    between = between.filter(pl.col("a_device").is_in(switches) & pl.col("b_device").is_in(switches))
    nodes = tuple(table["node"].to_list())
    number = {switch: index for index, switch in enumerate(switches)}
    rails, leaf = _rails(design, nodes, hosts.filter(pl.col("a_device").is_in(list(nodes))), number)
    domain, planes = _domains(design, nodes)
    return NumberedWiring(
        fabric=name,
        nodes=nodes,
        accelerators=np.asarray(table["accelerators"].to_numpy(), np.int64),
        rails=rails,
        leaf=leaf,
        switches=tuple(switches),
        cables=tuple(between["cable"].to_list()),
        ends=np.array(
            [[number[a], number[b]] for a, b in between.select("a_device", "b_device").iter_rows()], np.int64
        ).reshape(-1, 2),
        domain=domain,
        planes=planes,
    )


def _rails(
    design: Design, nodes: Sequence[str], hosts: pl.DataFrame, number: Mapping[str, int]
) -> tuple[tuple[tuple[str, ...], ...], Ints]:
    """Port names by node and slot, and their leaves; slots go by rail, plane and port number."""
    ports = design.ports.select(pl.col("device").alias("a_device"), pl.col("port").alias("a_port"), "number", "fabric")
    rows = hosts.join(ports, on=["a_device", "a_port", "fabric"], how="left").sort("rail", "plane", "number")
    of_node: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for device, port, switch in rows.select("a_device", "a_port", "b_device").iter_rows():
        of_node[device].append((port, number[switch]))
    slots = max((len(ports_of_node) for ports_of_node in of_node.values()), default=0)
    leaf = np.full((len(nodes), slots), NONE, np.int64)
    for index, node in enumerate(nodes):
        leaf[index, : len(of_node[node])] = [switch for _, switch in of_node[node]]
    return tuple(tuple(port for port, _ in of_node[node]) for node in nodes), leaf


def _domains(design: Design, nodes: Sequence[str]) -> tuple[Ints, tuple[tuple[str, ...], ...]]:
    """Nodes that share an NVLink switch are one domain."""
    cables = design.cables.filter(pl.col("kind") == "nvlink")
    pairs = cables.select("a_device", "b_device").unique(maintain_order=True)
    of_node: dict[str, list[str]] = defaultdict(list)
    for node, switch in pairs.iter_rows():
        of_node[node].append(switch)
    numbers: dict[tuple[str, ...], int] = {}
    keys = [tuple(sorted(of_node[node])) if node in of_node else () for node in nodes]
    domain = [numbers.setdefault(key, len(numbers)) if key else NONE for key in keys]
    return np.array(domain, np.int64), tuple(numbers)
