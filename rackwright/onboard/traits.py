"""What a node is, in the words that roles use to say whom they are for (``hosts`` of ``meta/rackwright.yml``)."""

from __future__ import annotations

import re
from typing import Any

from rackwright.model.design import Design, Node
from rackwright.model.site import Site
from rackwright.model.software import Bill

NVLINK5 = ("blackwell", "blackwell-ultra")
"""Architectures with fifth-generation NVLink. Source: NVIDIA, NVLink and NVSwitch product page (read 2026-08)."""
RDMA_NAME = re.compile(r"(mlx\d+_|rdma|ib|roce|bnxt_re|ionic|irdma|hfi)\d+")
"""Names that Linux gives to RDMA devices, by their drivers (drivers/infiniband/hw, Linux 6.12); ports of network interfaces
(enp41s0f1np1) have none of these."""
MELLANOX = ("connectx", "bluefield")
"""How the product names of adapters begin that are served by DOCA-OFED."""


def traits(design: Design, node: Node, bill: Bill) -> dict[str, Any]:
    """Every trait of `node`; names are public interface of ``roles/*/meta/rackwright.yml``.

    ``role`` accelerator, slurm, kubernetes, ufm, storage; ``scheduler``; ``slurm`` (a controller or a node of it); ``vendor``, ``driver_role`` (of the file of the vendor), ``architecture``, ``accelerator`` (SKU) or empty;
    ``platform`` pcie, hgx, rack-scale or none; ``nvswitch``, ``nvlink5``, ``multi_node_nvlink``; ``rdma`` (transports of its
    RDMA fabrics); ``rdma_devices`` (the SKU names any); ``mellanox``; ``exporters`` (the bill names any); ``local_drives``; ``storage`` (kinds of mounted file systems); ``os``, ``os_family``;
    ``software.<field>`` whether the bill names it; ``roles`` further role switches of the server SKU.
    """
    accelerator = node.accelerator if node.role == "accelerator" else None
    architecture = accelerator.architecture.lower() if accelerator else ""
    system = bill.system
    return {
        "role": node.role,
        "scheduler": node.scheduler if node.role == "accelerator" else "none",
        "slurm": node.role == "slurm" or (node.role == "accelerator" and node.scheduler == "slurm"),
        "vendor": accelerator.vendor if accelerator else "",
        "driver_role": design.vendors[accelerator.vendor].driver_role
        if accelerator and accelerator.vendor in design.vendors
        else "",
        "architecture": architecture,
        "accelerator": accelerator.sku if accelerator else "",
        "platform": platform(design.site, node),
        "nvswitch": node.server.fabric_manager,
        "nvlink5": architecture in NVLINK5 and (node.server.fabric_manager or rack_scale(design.site, node)),
        "multi_node_nvlink": rack_scale(design.site, node),
        "rdma": sorted(transports(design.site, node)),
        "rdma_devices": any(RDMA_NAME.fullmatch(name) for port in node.server.ports for name in port.names),
        "mellanox": any(port.adapter.lower().startswith(MELLANOX) for port in node.server.ports),
        "exporters": any(getattr(bill, name) for name in ("node_exporter", "dcgm_exporter", "vendor_exporter")),
        "local_drives": node.server.local_storage is not None and accelerator is not None,
        "storage": sorted({tier.client.kind for tier in design.site.storage if tier.client}) if accelerator else [],
        "os": system,
        "os_family": "redhat" if bill.packager == "rpm" else "debian",
        "roles": list(node.server.ansible_groups),
        **{f"software.{name}": bool(getattr(bill, name)) for name in Bill.model_fields},
        **{f"option.{name}": bool(value) for name, value in bill.options.items()},
    }


def platform(site: Site, node: Node) -> str:
    """How accelerators of the node are joined: ``rack-scale`` (NVLink leaves the node), ``hgx`` (switches on the node), ``pcie``."""
    if node.role != "accelerator" or node.accelerator is None:
        return "none"
    if rack_scale(site, node):
        return "rack-scale"
    return "hgx" if node.accelerator.scale_up != "none" or node.accelerator.nvlink_links else "pcie"


def rack_scale(site: Site, node: Node) -> bool:
    """Whether NVLinks of the node leave it: its pool is on a fabric of role nvlink."""
    return node.role == "accelerator" and any(
        fabric.role == "nvlink" and (not fabric.pools or node.pool in fabric.pools) for fabric in site.fabrics
    )


def transports(site: Site, node: Node) -> set[str]:
    """Transports of the RDMA fabrics that devices of the node are on: ``infiniband``, ``roce``.

    Where the ports are part of the accelerators (Ascend, Gaudi) the host has no device of that fabric.
    """
    return {
        fabric.transport
        for fabric in site.fabrics
        if fabric.transport in ("infiniband", "roce")
        and (not fabric.pools or node.pool in fabric.pools)
        and any(port.role == fabric.role and not of_accelerator(node, port.adapter) for port in node.server.ports)
    }


def of_accelerator(node: Node, adapter: str) -> bool:
    """Whether a port of this adapter is part of the accelerators."""
    return bool(adapter and node.accelerator and node.accelerator.model.startswith(adapter))
