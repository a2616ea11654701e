"""How many planned cables of a fabric were observed, whatever they carry: node cables and cables between switches.

InfiniBand cables are read from the subnet, by nodes and by the machines that manage it; Ethernet cables from the neighbour that
announces itself at the other end (LLDP). Checks decide whether a cable is in the right place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from rackwright.compare import network, subnets
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.evidence.fabric import NodeFabric, Subnets
from rackwright.model.evidence.network import Ethernet

End = tuple[str, int]


@dataclass(frozen=True)
class FabricCoverage:
    """Cables of one fabric."""

    observed: int
    planned: int
    """Counts only cables that a machine of this run can observe: node cables of its nodes, and cables between visible switches."""
    blind: int
    """Planned cables between switches that no machine of this run could observe: not counted."""


def coverage_by_fabric(
    design: Design, evidence_by_node: Mapping[str, NodeEvidence], nodes: Sequence[str]
) -> dict[str, FabricCoverage]:
    """Coverage per InfiniBand, RoCE and Ethernet fabric. Fabrics with no cable planned on `nodes` are omitted."""
    transports = {fabric.name: fabric.transport for fabric in design.site.fabrics if fabric.transport != "nvlink"}
    ends = _switch_ends(design)
    subnet_records = [record for evidence in evidence_by_node.values() if (record := evidence.get(Subnets)) is not None]
    observed_ends = {end for record in subnet_records for end in subnets.switch_ends(record.subnets)}
    observed_switches = {end[0] for end in observed_ends}
    ports = _node_ports(design, nodes)
    coverage: dict[str, FabricCoverage] = {}
    for fabric, transport in transports.items():
        node_cables = [_shows(evidence_by_node.get(node), port, transport) for node, port in ports.get(fabric, ())]
        if not node_cables:
            continue
        switch_cables = ends.get(fabric, [])
        visible = [pair for pair in switch_cables if pair[0][0] in observed_switches or pair[1][0] in observed_switches]
        observed = sum(pair[0] in observed_ends or pair[1] in observed_ends for pair in visible)
        coverage[fabric] = FabricCoverage(
            sum(node_cables) + observed, len(node_cables) + len(visible), len(switch_cables) - len(visible)
        )
    return coverage


def _node_ports(design: Design, nodes: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """By fabric: node and port of each planned cable of `nodes`. BMC ports are omitted; the operating system cannot see them."""
    members = {
        name: {port for group in design.node(name).server.ports if group.role == "bmc" for port in group.names}
        for name in nodes
    }
    ports: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for end in "ab":
        for fabric, device, port in design.cables.select("fabric", f"{end}_device", f"{end}_port").iter_rows():
            if device in members and port not in members[device]:
                ports[fabric].append((device, port))
    return ports


def _shows(evidence: NodeEvidence | None, port: str, transport: str) -> bool:
    """Whether the cable in `port` was observed."""
    if evidence is None:
        return False
    if transport == "infiniband":
        subnet = evidence.get(NodeFabric)
        return subnet is not None and subnet.links.get(port) is not None
    ethernet = evidence.get(Ethernet)
    interface = network.ethernet_interface(ethernet, port) if ethernet is not None and ethernet.heard else None
    return interface is not None and bool(interface.neighbours)


def _switch_ends(design: Design) -> dict[str, list[tuple[End, End]]]:
    """By fabric: both ends of every cable between switches, as (switch, port number)."""
    switches = design.devices.filter(pl.col("kind") == "switch")["device"].to_list()
    number = {
        (device, port): count
        for device, port, count in design.ports.filter(pl.col("device").is_in(switches))
        .select("device", "port", "number")
        .iter_rows()
    }
    between = design.cables.filter(pl.col("a_device").is_in(switches) & pl.col("b_device").is_in(switches))
    ends: dict[str, list[tuple[End, End]]] = {}
    for fabric, a, a_port, b, b_port in between.select(
        "fabric", "a_device", "a_port", "b_device", "b_port"
    ).iter_rows():
        ends.setdefault(fabric, []).append(((a, number[a, a_port]), (b, number[b, b_port])))
    return ends
