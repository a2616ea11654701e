"""Values of charts: those of a site's Kueue, in the release that they are written for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.compat import kubernetes_lock
from rackwright.model.site import Site
from rackwright.model.software import Bill
from rackwright.platform import chart_values

SITE = Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml"


def of(kueue: dict[str, Any]) -> dict[str, Any]:
    return of_addons({"kueue": kueue})


def of_addons(addons: dict[str, Any], software: dict[str, str] | None = None) -> dict[str, Any]:
    data = yaml_text.load(SITE.read_text())
    data["control"]["kubernetes"]["addons"] = addons
    data["software"]["pools"]["serve"] |= software or {}
    return chart_values.of_site(Site.model_validate(data))


def pinned(*names: str) -> dict[str, Any]:
    return {name: {"version": kubernetes_lock.load().by_name()[name].version} for name in names}


def test_kueue_counts_accelerators_alone():
    text = of({"version": "0.14.0"})["kueue"]["managerConfig"]["controllerManagerConfigYaml"]
    configuration = yaml_text.load(text)
    assert {"cpu", "memory"} <= set(configuration["resources"]["excludeResourcePrefixes"])
    assert "batch/job" in configuration["integrations"]["frameworks"]


@pytest.mark.parametrize("kueue", [{"version": "0.15.0"}, {"version": "0.14.0", "enabled": False}])
def test_a_release_with_another_configuration_and_one_that_is_off_have_none(kueue):
    assert of(kueue) == {}


def test_every_row_names_components_and_fields_that_there_are():
    components = kubernetes_lock.load().by_name()
    for row in chart_values.rows():
        assert {row.chart, *row.beside, *row.without} <= set(components)
        assert set(row.software) <= set(Bill.model_fields)


def test_what_serves_accelerators_runs_on_nodes_that_wait_for_acceptance():
    values = of_addons(pinned("node-feature-discovery", "amd-gpu-operator", "network-operator"))
    tolerations = [
        values["node-feature-discovery"]["worker"]["tolerations"],
        values["amd-gpu-operator"]["deviceConfig"]["spec"]["devicePlugin"]["devicePluginTolerations"],
        values["network-operator"]["operator"]["tolerations"],
    ]
    waiting = {"key": "rackwright.io/acceptance", "operator": "Exists", "effect": "NoSchedule"}
    assert all(waiting in listed for listed in tolerations)
    assert chart_values.WAITING not in yaml.safe_dump(values)


def test_a_component_that_the_site_declares_is_not_brought_along_by_another_chart():
    alone = of_addons(pinned("amd-gpu-operator", "kubeflow-trainer"))
    assert "node-feature-discovery" not in alone["amd-gpu-operator"]
    assert "kubeflow-trainer" not in alone
    together = of_addons(pinned("node-feature-discovery", "amd-gpu-operator", "kubeflow-trainer", "jobset", "lws"))
    assert together["amd-gpu-operator"]["node-feature-discovery"] == {"enabled": False}
    assert together["kubeflow-trainer"] == {"jobset": {"install": False}, "dataCache": {"lws": {"install": False}}}


def test_what_hosts_have_is_not_installed_again():
    values = of_addons(
        pinned("amd-gpu-operator", "kube-prometheus-stack"), {"node_exporter": "1.9.1", "dcgm_exporter": "4.8.3"}
    )
    assert values["amd-gpu-operator"]["kmm"] == {"enabled": False}  # the role amd_driver installs amdgpu
    assert values["kube-prometheus-stack"]["nodeExporter"] == {"enabled": False}
    jobs = values["kube-prometheus-stack"]["prometheus"]["prometheusSpec"]["additionalScrapeConfigs"]
    assert [job["job_name"] for job in jobs] == ["node-exporter", "dcgm-exporter"]


def test_monitors_are_written_where_the_kind_is_served():
    assert of_addons(pinned("dcgm-exporter"))["dcgm-exporter"]["serviceMonitor"] == {"enabled": False}
    assert "serviceMonitor" not in of_addons(pinned("dcgm-exporter", "kube-prometheus-stack"))["dcgm-exporter"]


def test_hypernodes_have_the_plugin_that_reads_them():
    text = of_addons(pinned("volcano"))["volcano"]["custom"]["scheduler_config_override"]
    plugins = [plugin["name"] for tier in yaml_text.load(text)["tiers"] for plugin in tier["plugins"]]
    assert "network-topology-aware" in plugins
