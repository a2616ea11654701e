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


def _numa_nodes(context: Context, node: Node) -> int:  # noqa: ARG001 - the form of a fact
    """NUMA nodes with processors that the firmware must show: one per socket of AMD Instinct (NPS1); 0 where none are required.

    Source: AMD, MI300X system optimization guide, BIOS settings: NPS1 (read 2026-08).
    """
    instinct = node.role == "accelerator" and node.accelerator is not None and node.accelerator.vendor == "amd"
    return node.server.cpu_sockets if instinct else 0


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
