"""The facts of slurm.conf and gres.conf, from the design alone. Sockets and
cores are those of the server SKU. Threads are left out: Slurm gives away whole cores, and a node with more than its SKU
registers well. No node gets a state here (see ``roles/slurm_controller/README.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rackwright.model.design import Design, Node
from rackwright.model.hostlist import fold_hosts
from rackwright.model.site import Site


def slurm_variables(design: Design, munge_key: Path) -> dict[str, Any]:
    """Variables of ``slurm_config``; none when the site has no Slurm. Controllers and nodes are those of the whole design."""
    slurm = design.site.control.slurm
    if slurm is None:
        return {}
    controllers = [{"name": node.name, "address": node.inband_address} for node in design.nodes("slurm")]
    members = [node for node in design.nodes("accelerator") if node.scheduler == "slurm"]
    sets = [list(group) for _, group in groupby(members, key=lambda node: (node.pool, node.server.sku))]
    return {
        "slurm_config_cluster": design.site.site,
        "slurm_config_controllers": controllers,
        "slurm_config_sets": [_node_set(design, nodes) for nodes in sets],
        "slurm_config_partitions": _partitions(design.site, members),
        "slurm_config_munge_key_file": str(munge_key.absolute()),
    }


def _partitions(site: Site, members: Sequence[Node]) -> list[dict[str, Any]]:
    """The default partition, of all nodes, and one for each pool."""
    return [
        {
            "name": name,
            "hosts": fold_hosts([node.name for node in members if node.pool in pools], suffixes=False),
            "default": number == 0,
        }
        for number, (name, pools) in enumerate(site.partitions().items())
    ]


def _node_set(design: Design, nodes: Sequence[Node]) -> dict[str, Any]:
    """Equal nodes: one SKU, one pool."""
    server = nodes[0].server
    gres = _gres(design, nodes[0])
    return {
        "sockets": server.cpu_sockets,
        "cores_per_socket": server.cores_per_socket,
        "memory_gib": server.memory_gib,
        "gres": f"gpu:{gres['type']}:{nodes[0].accelerators}" if gres else "",
        "devices": [gres] if gres else [],
        "feature": server.sku,
        "hosts": fold_hosts([node.name for node in nodes], suffixes=False),
        "nodes": {node.name: node.inband_address for node in nodes},
    }


def _gres(design: Design, node: Node) -> dict[str, str]:
    accelerator = node.accelerator
    maker = design.vendors.get(accelerator.vendor) if accelerator else None
    if accelerator is None or maker is None or not maker.device_file:
        return {}
    file, first = maker.device_file, maker.first_device
    last = first + node.accelerators - 1
    return {
        "name": "gpu",
        # The type must be part of the product name that the driver prints (gres.conf(5)): h100 of h100-sxm.
        "type": accelerator.sku.split("-")[0],
        "files": f"{file}[{first}-{last}]" if last > first else f"{file}{first}",
    }
