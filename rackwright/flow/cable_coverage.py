"""Counts the planned cables of a fabric that were observed: cables of nodes and cables between switches.

InfiniBand cables are read from the subnet, by nodes and by the machines that manage it; Ethernet cables from the
neighbour that announces itself at the other end (LLDP). Checks decide whether a cable is in the right place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rackwright.compare import network, subnets
from rackwright.judge.port_numbers import numbered
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design, Node
from rackwright.model.evidence.fabric import NodeFabric, Subnets
from rackwright.model.evidence.network import Ethernet
from rackwright.model.sku import Server

Port = tuple[str, str]
"""Fabric and port of a node."""


@dataclass(frozen=True)
class FabricCoverage:
    """Cables of one fabric."""

    observed: int
    planned: int
    """Number of planned cables that a machine of this run can observe: cables of its nodes, and cables between visible
    switches.
    """
    blind: int
    """Planned cables between switches that no machine of this run could observe: not counted in `planned`."""


class NodeCables:
    """The planned cables of some nodes, without those of BMCs, which the operating system cannot see."""

    def __init__(self, design: Design, nodes: Sequence[Node]) -> None:
        transports = {fabric.name: fabric.transport for fabric in design.site.fabrics if fabric.transport != "nvlink"}
        self._transports = transports
        self._ports = _node_ports(design, nodes, transports)

    def observed(self, evidence: NodeEvidence) -> dict[str, int]:
        """Fabric -> number of cables of a node that its evidence shows."""
        ports = self._ports.get(evidence.node, ())
        return Counter(fabric for fabric, port in ports if _cable_observed(evidence, port, self._transports[fabric]))

    def planned(self, nodes: Iterable[str]) -> dict[str, int]:
        """Fabric -> number of cables planned on `nodes`, in the order of the site file; fabrics without any are
        omitted.
        """
        counts = Counter(fabric for node in nodes for fabric, _ in self._ports.get(node, ()))
        return {fabric: counts[fabric] for fabric in self._transports if counts[fabric]}


def switch_ends(evidence: NodeEvidence) -> pl.DataFrame | None:
    """The switch ports with another switch behind them that a machine reports (`subnets.SWITCH_ENDS`); None for a
    machine that manages no subnet.
    """
    record = evidence.get(Subnets)
    return subnets.switch_ends(record.subnets.values()) if record is not None else None


def coverage_by_fabric(
    design: Design, planned: Mapping[str, int], observed: Mapping[str, int], ends: Iterable[pl.DataFrame]
) -> dict[str, FabricCoverage]:
    """Coverage of each InfiniBand, RoCE and Ethernet fabric with cables `planned` on nodes.

    `observed` counts those cables that were observed; `ends` are the observed ends of cables between switches, by
    machine.
    """
    trunks = {row["fabric"]: row for row in _trunks(design, ends).iter_rows(named=True)}
    none = {"observed": 0, "visible": 0, "planned": 0}
    coverage: dict[str, FabricCoverage] = {}
    for fabric, count in planned.items():
        between = trunks.get(fabric, none)
        coverage[fabric] = FabricCoverage(
            observed.get(fabric, 0) + between["observed"],
            count + between["visible"],
            between["planned"] - between["visible"],
        )
    return coverage


def _node_ports(design: Design, nodes: Sequence[Node], fabrics: Collection[str]) -> dict[str, list[Port]]:
    """Node -> fabric and port of each of its planned cables."""
    servers = {id(node.server): node.server for node in nodes}  # a few, each with its ports as a pool splits them
    of_server = {key: _bmc_ports(server) for key, server in servers.items()}
    bmc_ports = {node.name: of_server[id(node.server)] for node in nodes}
    ports: dict[str, list[Port]] = defaultdict(list)
    for end in "ab":
        of_nodes = design.cables.filter(
            pl.col(f"{end}_device").is_in(list(bmc_ports)) & pl.col("fabric").is_in(list(fabrics))
        )
        for fabric, device, port in of_nodes.select("fabric", f"{end}_device", f"{end}_port").iter_rows():
            if port not in bmc_ports[device]:
                ports[device].append((fabric, port))
    return ports


def _bmc_ports(server: Server) -> set[str]:
    return {port for group in server.ports if group.role == "bmc" for port in group.names}


def _cable_observed(evidence: NodeEvidence, port: str, transport: str) -> bool:
    """Whether the cable in `port` was observed."""
    if transport == "infiniband":
        subnet = evidence.get(NodeFabric)
        return subnet is not None and subnet.links.get(port) is not None
    ethernet = evidence.get(Ethernet)
    interface = network.ethernet_interface(ethernet, port) if ethernet is not None and ethernet.heard else None
    return interface is not None and bool(interface.neighbours)


def _trunks(design: Design, observed_ends: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """By fabric: number of cables between switches that are planned, that end at an observed switch, and that were
    observed.
    """
    switches = design.devices.filter(pl.col("kind") == "switch")["device"]
    between = design.cables.filter(
        pl.col("a_device").is_in(switches.implode()) & pl.col("b_device").is_in(switches.implode())
    )
    cables = numbered(between.select("fabric", "a_device", "a_port", "b_device", "b_port"), design.ports)
    # Numbers of switches and ports are used as indices of a table: joining half a million ends by names takes ten times
    # as long.
    numbers = pl.Enum(switches)
    ends = {end: (_places(cables[f"{end}_device"], numbers), cables[f"{end}_number"].to_numpy()) for end in "ab"}
    trunk_ends = pl.concat([pl.DataFrame(schema=subnets.SWITCH_ENDS), *observed_ends])
    trunk_ends = trunk_ends.filter(pl.col("device").is_in(switches.implode()))
    ports = (_places(trunk_ends["device"], numbers), trunk_ends["number"].to_numpy())
    width = 1 + max(int(column.max(initial=0)) for _, column in (*ends.values(), ports))
    present = np.zeros((len(switches), width), dtype=np.bool_)
    present[ports] = True
    answering: NDArray[np.bool_] = np.logical_or.reduce(present, axis=1)
    visible = answering[ends["a"][0]] | answering[ends["b"][0]]
    observed = present[ends["a"]] | present[ends["b"]]
    counted = cables.select("fabric", visible=pl.Series(visible), observed=pl.Series(visible & observed))
    return counted.group_by("fabric").agg(pl.len().alias("planned"), pl.col("visible", "observed").sum())


def _places(devices: pl.Series, numbers: pl.Enum) -> NDArray[np.int64]:
    return devices.cast(numbers).to_physical().cast(pl.Int64).to_numpy()
