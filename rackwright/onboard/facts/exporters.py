"""Facts of the exporters: whose accelerators a node has, and which exporters its bill names."""

from __future__ import annotations

from typing import Any

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context


def _vendor(context: Context, node: Node) -> str:
    del context
    return node.accelerator.vendor if node.role == "accelerator" and node.accelerator else ""


def _version(field: str) -> Any:
    """The version of an exporter: the bill of a site names it once, and only nodes of some makers have something for it to show."""

    def version(context: Context, node: Node) -> str:
        maker = context.design.vendors.get(_vendor(context, node))
        return getattr(context.design.site.software.bill(node.pool), field) if maker and maker.exporter == field else ""

    return version


FACTS = {
    "exporter_vendor": _vendor,
    **{field: _version(field) for field in ("dcgm_exporter", "vendor_exporter")},
}
