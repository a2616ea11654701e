"""Facts of the NVIDIA roles: generation and joining of the GPUs of a node, RDMA, storage that GPUs may read directly."""

from __future__ import annotations

from rackwright.model.design import Node
from rackwright.onboard import traits
from rackwright.onboard.facts.context import Context


def _architecture(context: Context, node: Node) -> str:  # noqa: ARG001 - the form of a fact
    return node.accelerator.architecture.lower() if node.accelerator else ""


def _sku(context: Context, node: Node) -> str:  # noqa: ARG001 - the form of a fact
    return node.accelerator.sku if node.accelerator else ""


def _rdma(context: Context, node: Node) -> bool:
    return bool(traits.transports(context.design.site, node))


def _storage(context: Context, node: Node) -> list[str]:
    """Kinds of storage of the node whose owner asks for a path without a copy through host memory, ``local`` for its drives."""
    tiers = [tier for tier in context.design.site.storage if tier.gpudirect]
    kinds = {tier.client.kind for tier in tiers if tier.client} | {"local" for tier in tiers if tier.tier == "local"}
    return sorted(kinds - ({"local"} if node.server.local_storage is None else set()))


FACTS = {
    "nvidia_architecture": _architecture,
    "nvidia_accelerator": _sku,
    "nvidia_platform": lambda context, node: traits.platform(context.design.site, node),
    "nvidia_nvswitch": lambda context, node: node.server.fabric_manager,  # noqa: ARG005 - the form of a fact
    "nvidia_rdma": _rdma,
    "nvidia_direct_storage": _storage,
}
