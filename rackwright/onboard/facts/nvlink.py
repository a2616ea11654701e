"""Facts of NVLink that leaves the node: who shares the NVLink domain of a tray, and who starts the IMEX daemon there. The trays of a rack are one domain, as `design.topology.nvlink` wires them."""

from __future__ import annotations

import polars as pl

from rackwright.model.design import Node
from rackwright.onboard import traits
from rackwright.onboard.facts.context import Context


def _fifth(context: Context, node: Node) -> bool:  # noqa: ARG001 - the form of a fact
    """Whether the NVSwitches of the board are of the fifth generation, which have a subnet manager of their own."""
    architecture = node.accelerator.architecture.lower() if node.accelerator else ""
    return node.server.fabric_manager and architecture in traits.NVLINK5


def _domain(context: Context, node: Node) -> list[str]:
    """In-band addresses of all trays of the domain, in design order; none where NVLink stays in the node."""
    if not traits.rack_scale(context.design.site, node):
        return []
    same = (pl.col("rack") == node.rack) & (pl.col("pool") == node.pool) & (pl.col("role") == "accelerator")
    return context.design.node_table.filter(same)["inband_address"].to_list()


def _imex(context: Context, node: Node) -> str:  # noqa: ARG001 - the form of a fact
    """``job`` where the scheduler starts IMEX with a job (Kubernetes: ComputeDomain), else ``static``."""
    return "job" if node.scheduler == "kubernetes" else "static"


FACTS = {"nvlink_fifth": _fifth, "nvlink_domain": _domain, "nvlink_imex": _imex}
