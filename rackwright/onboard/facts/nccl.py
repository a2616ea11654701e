"""Facts of nccl.conf that only the design knows; what NCCL finds out itself, or the host shows, is not here."""

from __future__ import annotations

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context


def _transport(context: Context, node: Node) -> str:
    """``infiniband`` or ``roce``, of the compute fabric of the node; empty without one."""
    fabrics = [fabric for fabric in context.design.site.fabrics if fabric.role == "compute"]
    return next((fabric.transport for fabric in fabrics if not fabric.pools or node.pool in fabric.pools), "")


FACTS = {"nccl_transport": _transport}
