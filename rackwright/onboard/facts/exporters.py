"""Facts of the exporters: whose accelerators a node has, and which exporters its bill names."""

from __future__ import annotations

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context


def _vendor(context: Context, node: Node) -> str:
    del context
    return node.accelerator.vendor if node.role == "accelerator" and node.accelerator else ""


def _dcgm_exporter(context: Context, node: Node) -> str:
    """The bill of a site names it once; only NVIDIA's nodes have something for it to show."""
    return context.design.site.software.bill(node.pool).dcgm_exporter if _vendor(context, node) == "nvidia" else ""


def _vendor_exporter(context: Context, node: Node) -> str:
    vendor = _vendor(context, node)
    return context.design.site.software.bill(node.pool).vendor_exporter if vendor not in ("", "nvidia") else ""


FACTS = {"exporter_vendor": _vendor, "dcgm_exporter": _dcgm_exporter, "vendor_exporter": _vendor_exporter}
