"""Facts of the RDMA roles: which stack a node gets, and the names that its devices must have."""

from __future__ import annotations

from typing import Any

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context
from rackwright.onboard.traits import MELLANOX, RDMA_NAME


def _doca(context: Context, node: Node) -> str:
    """DOCA-OFED serves NVIDIA's own adapters alone; a node without one keeps the distribution's stack."""
    mellanox = any(port.adapter.lower().startswith(MELLANOX) for port in node.server.ports)
    return context.design.site.software.bill(node.pool).doca if mellanox else ""


def _rails(context: Context, node: Node) -> list[dict[str, Any]]:
    """RDMA devices of the node: name, role of its fabric, and rail within the role; lanes of a split port are of the same rail."""
    del context
    return [
        {"name": name, "role": port.role, "rail": at // port.per_rail}
        for port in node.server.ports
        for at, name in enumerate(port.names)
        if RDMA_NAME.fullmatch(name)
    ]


FACTS = {"doca": _doca, "rdma_devices": _rails}
