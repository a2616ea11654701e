"""Objects of the platform: one partition of the nodes in every format, and quotas that are those of the site."""

from __future__ import annotations

import copy
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.locality import groups
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.platform import components, tenants, topology
from rackwright.platform.labels import NodeLabels, label
from tests.unit.export.conftest import domains

SITE = yaml_text.load((Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml").read_text())
RESOURCES = {"h100-sxm": "nvidia.com/gpu", "mi300x": "amd.com/gpu", "gb200": "nvidia.com/gpu", "l40s": "nvidia.com/gpu"}
ADDONS = {
    "kueue": {"version": "0.14.0"},
    "volcano": {"version": "1.12.1"},
    "kai-scheduler": {"version": "0.12.0"},
    "koordinator": {"version": "1.7.0"},
    "dra-driver-nvidia-gpu": {"version": "25.8.0"},
}
CONTROL = {"endpoint": "10.0.0.1:6443", "ca_sha256": "0" * 64}


def labelled(expanded: Design) -> NodeLabels:
    pools = [pool.name for pool in expanded.site.pools if pool.scheduler == "kubernetes"]
    return label(expanded, pools, groups.default_fabrics(expanded))


def rendered(expanded: Design) -> dict[str, list[dict[str, Any]]]:
    return components.objects(expanded, labelled(expanded), RESOURCES)


def changed(expanded: Design, **changes: Any) -> Design:
    data = copy.deepcopy(expanded.site.model_dump(mode="python")) | changes
    return replace(expanded, site=Site.model_validate(data))


@pytest.fixture(scope="module")
def mixed() -> Design:
    return design.expand(Site.model_validate(SITE), catalog.load())


@pytest.fixture(scope="module")
def racks() -> Design:
    """NVL72 racks with a class that spans nodes of a domain, a class that does not, and every add-on."""
    expanded = domains()
    control = {**expanded.site.control.model_dump(mode="python"), "kubernetes": CONTROL | {"addons": ADDONS}}
    job = {"kind": "training", "priority": 1, "pools": ["gb"]}
    return changed(
        expanded,
        control=control,
        tenants=[{"name": "a", "quota": [{"accelerator": "gb200", "accelerators": 80}]}],
        classes=[
            job | {"name": "wide", "domain": "nvlink-domain", "minimum": 72},
            job | {"name": "narrow", "domain": "rack", "minimum": 4},
        ],
    )


def of_kind(files: dict[str, list[dict[str, Any]]], kind: str) -> dict[str, dict[str, Any]]:
    return {
        entry["metadata"]["name"]: entry for entries in files.values() for entry in entries if entry["kind"] == kind
    }


def total(entries: Any, field: str) -> dict[str, int]:
    """Sum of a number of all quotas, by flavor."""
    amounts: dict[str, int] = defaultdict(int)
    for entry in entries:
        for group in entry["spec"].get("resourceGroups", []):
            for flavor in group["flavors"]:
                amounts[flavor["name"]] += int(flavor["resources"][0][field])
    return dict(amounts)


def test_queues_hold_the_quotas_of_the_site(mixed):
    files = rendered(mixed)
    queues = of_kind(files, "ClusterQueue")
    assert total(queues.values(), "nominalQuota") == {"serve": 40, "serve-chat": 16}
    assert total(of_kind(files, "Cohort").values(), "nominalQuota") == {"serve": 0, "serve-chat": 0}
    assert {queue["spec"]["cohort"] for queue in queues.values()} == {"research", "product"}
    locals_ = of_kind(files, "LocalQueue").values()
    assert {entry["spec"]["clusterQueue"] for entry in files["queues"] if entry["kind"] == "LocalQueue"} == set(queues)
    assert {entry["metadata"]["namespace"] for entry in locals_} <= set(of_kind(files, "Namespace"))
    assert set(of_kind(files, "ResourceFlavor")) == {"serve", "serve-chat"}


def test_what_is_not_preemptible_never_borrows_and_is_never_preempted(mixed):
    data = copy.deepcopy(SITE)
    data["classes"][1]["preemptible"] = False  # fine-tune, besides batch, which is
    files = rendered(design.expand(Site.model_validate(data), catalog.load()))
    queues = of_kind(files, "ClusterQueue")
    assert set(queues) == {"research", "research-preemptible", "product", "product-preemptible", "product-chat"}
    for name, queue in queues.items():
        (quota,) = queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"]
        if name.endswith("preemptible"):
            assert quota["nominalQuota"] == "0"
            assert queue["spec"]["preemption"]["withinClusterQueue"] == "LowerPriority"
        else:
            assert quota["borrowingLimit"] == "0"
            assert queue["spec"]["preemption"]["withinClusterQueue"] == "Never"
    assert total([queues["research"], queues["research-preemptible"]], "borrowingLimit") == {"serve": 16 + 16}
    classes = of_kind(files, "WorkloadPriorityClass")
    assert (
        classes["fine-tune"]["metadata"]["annotations"]["rackwright.io/queues"]
        == "research/guaranteed,product/guaranteed"
    )
    assert (
        classes["batch"]["metadata"]["annotations"]["rackwright.io/queues"]
        == "research/preemptible,product/preemptible"
    )
    assert "pretrain" not in classes, "it runs under Slurm"


def test_lends_and_borrows_stand_at_the_cohort_of_the_tenant(mixed):
    (product,) = of_kind(rendered(mixed), "Cohort")["product"]["spec"]["resourceGroups"]
    serve = product["flavors"][0]["resources"][0]
    assert (serve["borrowingLimit"], serve["lendingLimit"]) == ("8", "16")


def test_the_version_of_kueue_decides_names_and_versions(mixed):
    data = copy.deepcopy(SITE)
    data["control"]["kubernetes"]["addons"]["kueue"]["version"] = "0.15.1"
    files = rendered(design.expand(Site.model_validate(data), catalog.load()))
    entries = files["queues"] + files["topology"]
    assert {entry["apiVersion"] for entry in entries} == {"kueue.x-k8s.io/v1beta2"}
    assert all("cohortName" in entry["spec"] for entry in of_kind(files, "ClusterQueue").values())
    assert {entry["apiVersion"] for entry in rendered(mixed)["queues"]} == {"kueue.x-k8s.io/v1beta1"}
    data["control"]["kubernetes"]["addons"]["kueue"]["enabled"] = False
    assert set(rendered(design.expand(Site.model_validate(data), catalog.load()))) == {
        "acceptance",
        "tenants",
        "priorities",
    }


def partition(labels: NodeLabels, column: str) -> set[frozenset[str]]:
    by_group: dict[str, set[str]] = defaultdict(set)
    for row in labels.nodes.iter_rows(named=True):
        if row[column] is not None:
            by_group[row["pool"] + row[column]].add(row["node"])
    return {frozenset(nodes) for nodes in by_group.values()}


def test_every_format_has_the_same_groups(racks):
    labels, files = labelled(racks), rendered(racks)
    columns = topology.level_columns(labels, "gb", topology.wanted_columns(racks, labels, "gb"))
    keys = topology.level_keys(labels, columns)
    assert [
        level["nodeLabel"] for level in of_kind({"": files["topology"]}, "Topology")["gb"]["spec"]["levels"]
    ] == keys
    assert [level["nodeLabel"] for level in files["kai-topology"][0]["spec"]["levels"]] == keys
    layers = files["koordinator-topology"][0]["spec"]["networkTopologySpec"]
    assert [layer["labelKey"][0] for layer in layers[:-1]] == keys[:-1]
    assert [layer.get("parentTopologyLayer") for layer in layers] == [
        None,
        *(layer["topologyLayer"] for layer in layers[:-1]),
    ]
    hyper = of_kind({"": files["hypernodes"]}, "HyperNode")

    def nodes_of(name: str) -> set[str]:
        members = [
            (member["type"], member["selector"]["exactMatch"]["name"]) for member in hyper[name]["spec"]["members"]
        ]
        return {node for kind, member in members for node in ([member] if kind == "Node" else nodes_of(member))}

    groups_of_volcano = {frozenset(nodes_of(name)) for name in hyper}
    groups_of_labels = set.union(*(partition(labels, column) for column in columns if column != "node"))
    assert groups_of_volcano == groups_of_labels
    parents = [
        member["selector"]["exactMatch"]["name"] for entry in hyper.values() for member in entry["spec"]["members"]
    ]
    assert len(parents) == len(set(parents)), "a member is in two groups"


def test_levels_nest_and_hold_what_classes_ask_for(racks):
    labels = labelled(racks)
    columns = topology.level_columns(labels, "gb", topology.wanted_columns(racks, labels, "gb"))
    assert columns[-1] == "node"
    assert {"domain", "rack"} <= set(columns)
    for coarse, fine in pairwise(columns):
        assert all(any(group <= above for above in partition(labels, coarse)) for group in partition(labels, fine))


def test_compute_domains_are_for_jobs_that_span_nodes(racks):
    (entry,) = rendered(racks)["compute-domains"]
    assert (entry["metadata"]["namespace"], entry["metadata"]["name"]) == ("a", "wide")
    assert entry["spec"]["channel"]["resourceClaimTemplate"]["name"] == "wide-channel"


def test_domains_that_overlap_are_refused(racks):
    labels = labelled(racks)
    crossed = NodeLabels(labels.nodes.with_columns(leaf=labels.nodes["node"].str.slice(-1)), labels.keys, labels.shared)
    jobs = [
        {"name": name, "kind": "training", "priority": n, "domain": name, "pools": ["gb"]}
        for n, name in enumerate(["rack", "rail-group"])
    ]
    (problem,) = topology.problems(changed(racks, classes=jobs), crossed)
    assert problem.path == "classes[0].domain"
    assert problem.found == "rack"


def test_an_accelerator_without_a_resource_is_a_problem(mixed):
    with pytest.raises(ProblemsError, match="no extended resource is known for mi300x"):
        components.objects(mixed, labelled(mixed), {})


def test_labels_of_ascend_nodes():
    data = yaml_text.load((Path(__file__).parents[3] / "inventories" / "ascend-pod" / "site.yaml").read_text())
    data["pools"][0]["scheduler"] = "kubernetes"
    data["control"]["kubernetes"] = CONTROL | {"addons": {"mindcluster": {"version": "26.1"}}}
    files = rendered(design.expand(Site.model_validate(data), catalog.load()))
    labels = files["ascend-labels"][0]["metadata"]["labels"]
    assert labels["accelerator"] == "huawei-Ascend910"
    assert labels["host-arch"] == "huawei-arm"
    assert len(files["ascend-labels"]) == data["pools"][0]["count"]


def test_the_wall_behind_the_queues_is_what_a_tenant_owns_and_may_borrow(mixed):
    hard = {
        entry["metadata"]["namespace"]: entry["spec"]["hard"]
        for entry in rendered(mixed)["tenants"]
        if entry["kind"] == "ResourceQuota" and entry["metadata"]["name"] == "accelerators"
    }
    (research,) = [tenant for tenant in mixed.site.tenants if tenant.name == "research"]
    amd = sum(quota.accelerators + quota.borrow for quota in research.quota if quota.accelerator == "mi300x")
    assert hard["research"]["requests.amd.com/gpu"] == str(amd)
    assert hard["product"]["requests.nvidia.com/gpu"] == "0", "its quota of H100 is under Slurm, and gives nothing here"


def test_a_tenant_with_a_quota_under_slurm_alone_gets_no_accelerator():
    data = yaml_text.load((Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml").read_text())
    research = next(tenant for tenant in data["tenants"] if tenant["name"] == "research")
    research["quota"] = [quota for quota in research["quota"] if quota["accelerator"] == "h100-sxm"]
    objects = tenants.objects(design.expand(Site.model_validate(data), catalog.load()), RESOURCES)
    hard = [
        e["spec"]["hard"] for e in objects if e["kind"] == "ResourceQuota" and e["metadata"]["namespace"] == "research"
    ]
    assert hard == [{"requests.amd.com/gpu": "0", "requests.nvidia.com/gpu": "0"}, {"pods": "0"}]


def test_no_pod_of_a_tenant_has_the_class_of_another_or_of_the_system(mixed):
    foreign = {
        entry["metadata"]["namespace"]: entry["spec"]["scopeSelector"]["matchExpressions"][0]["values"]
        for entry in rendered(mixed)["tenants"]
        if entry["metadata"]["name"] == "foreign-classes"
    }
    system = ["system-cluster-critical", "system-node-critical"]
    assert foreign == {"research": ["chat", *system], "product": system}, "pretrain has no pods: it runs under Slurm"


def test_pods_of_a_tenant_are_reached_by_its_own_and_by_what_serves_all(mixed):
    (policy,) = [
        e
        for e in rendered(mixed)["tenants"]
        if e["kind"] == "NetworkPolicy" and e["metadata"]["namespace"] == "research"
    ]
    assert policy["spec"]["policyTypes"] == ["Ingress"]
    assert policy["spec"]["ingress"] == [
        {
            "from": [
                {"podSelector": {}},
                {"namespaceSelector": {"matchLabels": {"rackwright.io/serves-tenants": "true"}}},
            ]
        }
    ]


def test_pods_preempt_each_other_only_where_no_queue_decides(mixed):
    priorities = of_kind(rendered(mixed), "PriorityClass")
    assert priorities["chat"]["value"] == 900
    assert {entry["preemptionPolicy"] for entry in priorities.values()} == {"Never"}
    assert "pretrain" not in priorities, "it runs under Slurm"
    data = copy.deepcopy(SITE)
    data["control"]["kubernetes"]["addons"]["kueue"]["enabled"] = False
    files = rendered(design.expand(Site.model_validate(data), catalog.load()))
    assert {entry["preemptionPolicy"] for entry in files["priorities"]} == {"PreemptLowerPriority"}
