"""Where the observed fabric differs from the plan, for the drawing. The verdicts come from the checks."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from rackwright.compare import switch_name
from rackwright.model.design import Design, Link
from rackwright.model.evidence.fabric import FabricLink, NodeFabric
from rackwright.report.view import WrongCable

Ports = Mapping[tuple[str, int], str]
"""Port name by switch and port number."""


def wrong_cables(design: Design, links_by_node: Mapping[str, NodeFabric]) -> dict[str, list[WrongCable]]:
    """By fabric: the planned node cables that were observed elsewhere, in design order."""
    ports = _switch_ports(design)
    cables: dict[str, list[WrongCable]] = {}
    for node in design.node_table["node"]:
        links = links_by_node[node].links if node in links_by_node else {}
        for link in design.links(node) if links else []:
            if link.port in links and not _as_planned(link, links[link.port]):
                cables.setdefault(link.fabric, []).append(_wrong_cable(node, link, links[link.port], ports))
    return cables


def _switch_ports(design: Design) -> Ports:
    switches = list(design.devices.filter(pl.col("kind") == "switch")["device"])
    ports = design.ports.filter(pl.col("device").is_in(switches))
    return {(row["device"], row["number"]): row["port"] for row in ports.iter_rows(named=True)}


def _as_planned(link: Link, far: FabricLink | None) -> bool:
    return far is not None and (switch_name(far.remote_name), far.remote_port) == (
        link.remote_device,
        link.remote_number,
    )


def _wrong_cable(node: str, link: Link, far: FabricLink | None, ports: Ports) -> WrongCable:
    device = switch_name(far.remote_name) if far else ""
    return WrongCable(
        cable=link.cable,
        node=node,
        port=link.port,
        planned_device=link.remote_device,
        planned_port=link.remote_port,
        found_device=device,
        found_port=ports.get((device, far.remote_port), str(far.remote_port)) if far else "",
    )
