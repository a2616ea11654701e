"""Values of charts that depend on the design: names, prices and resources.

They are merged on top of those of ``chart_values``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rackwright.model.design import Design
from rackwright.platform import chart_values
from rackwright.platform.chart_values import Values
from rackwright.platform.object import Object, make

HAMI_LABEL = {"gpu": "on"}
"""Label of nodes that get the device plugin of HAMi (Project-HAMi/HAMi, charts/hami/values.yaml at v2.10.0,
devicePlugin.nvidiaNodeSelector).
"""
HAMI_VENDOR = "nvidia"
"""Vendor of the device plugin in the chart of HAMi; plugins for others are separate charts."""


def of_design(design: Design, resources: Mapping[str, str]) -> dict[str, Values]:
    """Add-on -> values, including those of ``chart_values.of_site``; `resources`: extended resource by accelerator SKU."""
    result, control = chart_values.of_site(design.site), design.site.control.kubernetes
    for name, values_of in BY_CHART.items():
        version = control.addon_version(name) if control else ""
        if version and chart_values.as_pinned(name, version) and (values := values_of(design, resources)):
            result[name] = chart_values.joined(result.get(name, {}), values)
    return result


def hami_labels(design: Design) -> list[Object]:
    """A Node with the label for every Kubernetes node whose accelerators the device plugin of HAMi allocates."""
    return [make("v1", "Node", name, labels=dict(HAMI_LABEL)) for name, _ in _hami_nodes(design)]


def _hami_nodes(design: Design) -> list[tuple[str, str]]:
    """Names of nodes, and the SKU of their accelerators."""
    nodes = [node for node in design.nodes("accelerator") if node.scheduler == "kubernetes"]
    parts = [(node.name, node.accelerator) for node in nodes]
    return [(name, part.sku) for name, part in parts if part is not None and part.vendor == HAMI_VENDOR]


def _hami(design: Design, resources: Mapping[str, str]) -> Values:
    """Values for HAMi: its resource gets the name that queues and quotas count."""
    counted = {resources[sku] for _, sku in _hami_nodes(design) if sku in resources}
    plugin: Values = {"devicePlugin": {"nvidiaNodeSelector": dict(HAMI_LABEL)}}
    return plugin | ({"resourceName": counted.pop()} if len(counted) == 1 else {})


def _opencost(design: Design, _resources: Mapping[str, str]) -> Values:
    """Values for OpenCost: the cluster is named after the site, and an accelerator costs what the cost study computes
    for an hour.

    One price applies to all accelerators, so it is given only if the site has one kind of them and no price is missing.
    It covers the whole node: CPUs and memory add nothing.

    Source: opencost/opencost-helm-chart, charts/opencost/values.yaml at opencost-2.5.14 (customPricing.costModel).
    """
    values: Values = {"exporter": {"defaultClusterId": design.site.site}}
    hour = design.studies.get("cost", {}).get("figures", {}).get("accelerator_hour", {})
    kinds = {node.accelerator.sku for node in design.nodes("accelerator") if node.accelerator is not None}
    if hour.get("value") is not None and not hour["missing"] and len(kinds) == 1:
        free = dict.fromkeys(("CPU", "spotCPU", "RAM", "spotRAM", "storage"), 0)
        price = {
            "description": f"{hour['unit']} of {design.site.site}: {hour['formula']}",
            "GPU": round(hour["value"], 4),
        }
        values["customPricing"] = {"enabled": True, "costModel": {**price, **free}}
    return {"opencost": values}


BY_CHART: Mapping[str, Callable[[Design, Mapping[str, str]], Values]] = {"hami": _hami, "opencost": _opencost}
"""Add-on -> function for its values from the design."""
