"""Facts that decide how a kernel is started and tuned: vendor, platform, sockets, RoCE interfaces."""

from __future__ import annotations

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context
from rackwright.onboard.traits import rack_scale, transports

RDMA_DEVICES = ("mlx5_", "bnxt_re", "irdma", "ionic_")
"""How names of RDMA devices begin; a port that is called so has a network interface of another name."""


def _vendor(context: Context, node: Node) -> str:  # noqa: ARG001 - the form of a fact
    return node.accelerator.vendor if node.role == "accelerator" and node.accelerator else ""


def _accelerator(context: Context, node: Node) -> str:  # noqa: ARG001 - the form of a fact
    return node.accelerator.sku if node.role == "accelerator" and node.accelerator else ""


def _rack_scale(context: Context, node: Node) -> bool:
    return rack_scale(context.design.site, node)


def _numa_nodes(context: Context, node: Node) -> int:
    """NUMA nodes with processors that the firmware must show; 0 where none are required."""
    maker = context.design.vendors.get(node.accelerator.vendor) if node.accelerator else None
    return node.server.cpu_sockets * maker.numa_nodes_per_socket if maker and node.role == "accelerator" else 0


def _roce_interfaces(context: Context, node: Node) -> list[str]:
    """Network interfaces of the rails where the compute fabric is RoCE; ports that are called by their RDMA device are left out."""
    if "roce" not in transports(context.design.site, node):
        return []
    names = [name for port in node.server.ports if port.role == "compute" for name in port.names]
    return [name for name in names if not name.startswith(RDMA_DEVICES)]


FACTS = {
    "boot_vendor": _vendor,
    "boot_accelerator": _accelerator,
    "boot_rack_scale": _rack_scale,
    "numa_nodes": _numa_nodes,
    "roce_interfaces": _roce_interfaces,
}
