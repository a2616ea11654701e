"""Values of charts that hold what a design says: names, prices and resources."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.compat import kubernetes_lock
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.platform import design_values
from tests.unit.platform.test_components import rendered

PRICED = {"value": 2.123456, "unit": "USD per accelerator-hour", "formula": "total / accelerator_hours", "missing": []}


@pytest.fixture(scope="module")
def two_kinds() -> Design:
    """Nodes of both vendors under Kubernetes, with every component that has values here."""
    data = yaml_text.load((Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml").read_text())
    data["pools"][0]["scheduler"] = "kubernetes"
    by_name = kubernetes_lock.load().by_name()
    names = ("hami", "opencost", "gpu-operator", "kube-prometheus-stack", "ai-gateway", "cert-manager")
    data["control"]["kubernetes"]["addons"] = {name: {"version": by_name[name].version} for name in names}
    return design.expand(Site.model_validate(data), catalog.load())


def of(expanded: Design, resource: str = "nvidia.com/gpu", **hour: Any) -> dict[str, Any]:
    studies = copy.deepcopy(expanded.studies)
    studies["cost"]["figures"]["accelerator_hour"] = PRICED | hour
    resources = {"h100-sxm": resource, "mi300x": "amd.com/gpu"}
    return design_values.of_design(replace(expanded, studies=studies), resources)


def one_kind(expanded: Design) -> Design:
    """With the accelerators of one vendor alone."""
    return replace(
        expanded, node_table=expanded.node_table.filter(pl.col("pool").is_null() | (pl.col("pool") != "serve"))
    )


def test_hami_hands_out_what_the_queues_count_on_the_nodes_of_its_vendor(two_kinds: Design):
    hami = of(two_kinds, "nvidia.com/half")["hami"]
    assert hami["resourceName"] == "nvidia.com/half"
    assert hami["devicePlugin"]["tolerations"][-1]["key"] == "rackwright.io/acceptance"
    entries = rendered(two_kinds)["hami-labels"]
    of_vendor = {node.name for node in two_kinds.nodes("accelerator") if node.pool == "train"}
    assert {entry["metadata"]["name"] for entry in entries} == of_vendor
    assert {str(entry["metadata"]["labels"]) for entry in entries} == {str(hami["devicePlugin"]["nvidiaNodeSelector"])}


def test_two_device_plugins_of_one_resource_are_never_asked_for(two_kinds: Design):
    assert of(two_kinds)["gpu-operator"] == {"devicePlugin": {"enabled": False}}


def test_opencost_has_the_name_of_the_site_and_its_prometheus(two_kinds: Design):
    opencost = of(two_kinds)["opencost"]["opencost"]
    assert opencost["exporter"] == {"defaultClusterId": "mixed-pod"}
    stack = kubernetes_lock.load().by_name()["kube-prometheus-stack"]
    assert opencost["prometheus"]["internal"]["namespaceName"] == stack.namespace
    assert "customPricing" not in opencost  # one price for two kinds of accelerators would be wrong for both


def test_an_accelerator_costs_what_the_cost_study_says_and_the_rest_of_the_node_nothing(two_kinds: Design):
    priced = of(one_kind(two_kinds))["opencost"]["opencost"]["customPricing"]
    assert priced["enabled"]
    assert {name: price for name, price in priced["costModel"].items() if price} == {
        "description": "USD per accelerator-hour of mixed-pod: total / accelerator_hours", "GPU": 2.1235,
    }  # fmt: skip
    for hour in ({"missing": ["price of dgx-h100"]}, {"value": None}):
        assert "customPricing" not in of(one_kind(two_kinds), **hour)["opencost"]["opencost"]


def test_a_gateway_makes_no_use_of_a_certificate_that_everybody_has(two_kinds: Design):
    assert of(two_kinds)["ai-gateway"]["controller"]["mutatingWebhook"]["certManager"] == {"enable": True}
