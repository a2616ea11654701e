"""Facts of nccl.conf that only the design knows; what NCCL finds out itself, or the host shows, is not here."""

from __future__ import annotations

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context


def _transport(context: Context, node: Node) -> str:
    """``infiniband`` or ``roce``, of the compute fabric of the node; empty without one."""
    fabrics = [one for one in context.design.site.fabrics if one.role == "compute"]
    return next((one.transport for one in fabrics if not one.pools or node.pool in one.pools), "")


FACTS = {"nccl_transport": _transport}
