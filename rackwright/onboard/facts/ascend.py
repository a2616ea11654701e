"""Facts of Ascend nodes: which HDK serves the chip, and the addresses of the NPUs' own network ports.

An NPU port is no network device of the host, so its address is set through the NPU (hccn_tool) and
comes from the rows of the design's address table whose interface is a compute port of the node.
"""

from __future__ import annotations

import ipaddress

import polars as pl

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context
from rackwright.onboard.traits import of_accelerator

IPV4 = 4


def _chip(context: Context, node: Node) -> str:  # noqa: ARG001 - the form of a fact
    return node.accelerator.driver_family if node.accelerator else ""


def _addresses(context: Context, node: Node) -> list[dict[str, str]]:
    """Address, netmask and gateway by NPU, in the order of the ports; empty where the design gives them none, or the NPUs have no ports."""
    groups = [group for group in node.server.ports if group.role == "compute" and of_accelerator(node, group.adapter)]
    ports = [name for group in groups for name in group.names]
    rows = context.design.addresses.filter(
        (pl.col("device") == node.name) & (pl.col("family") == IPV4) & pl.col("interface").is_in(ports)
    )
    by_interface = {row["interface"]: row for row in rows.iter_rows(named=True)}
    if not by_interface or set(by_interface) != set(ports):
        return []
    return [_port(by_interface[name]["address"], by_interface[name]["prefix"]) for name in ports]


def _port(address: str, prefix: int) -> dict[str, str]:
    """The gateway is the first address of every network of a design."""
    network = ipaddress.ip_network(f"{address}/{prefix}", strict=False)
    return {"address": address, "netmask": str(network.netmask), "gateway": str(network[1])}


FACTS = {"ascend_chip": _chip, "npu_addresses": _addresses}
