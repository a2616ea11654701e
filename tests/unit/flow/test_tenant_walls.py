"""Which nodes tenants share, what their pods ask for, and what is printed when there is nothing to try."""

from pathlib import Path

import pytest

from rackwright import catalog, design, spec
from rackwright.base import yaml_text
from rackwright.base.errors import UsageError
from rackwright.collect.launchers import tenant_pods
from rackwright.collect.launchers.launcher import Launch
from rackwright.flow import tenant_walls
from rackwright.judge.expect import expect, tenants_of_pools
from rackwright.model.site import Site
from tests import build

MIXED = Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml"


@pytest.fixture(scope="module")
def mixed():
    loaded = spec.load(MIXED)
    return design.expand(loaded.site, loaded.catalog)


def test_tenants_of_a_pool_are_those_with_a_quota_there(mixed):
    both = ("research", "product")
    assert tenants_of_pools(mixed) == {("train", "slurm"): both, ("serve", "kubernetes"): both}
    [expected] = expect(mixed, {}, build.limit_table(), ["serve-001"])
    assert expected.tenants == ("research", "product")
    assert tenants_of_pools(build.site_design()) == {}


def test_two_nodes_of_each_shared_pool_are_tried_and_named_ones_all(mixed):
    everything = [node.name for node in mixed.nodes()]
    assert tenant_walls.shared_nodes(mixed, everything, named=False) == {"serve": ["serve-001", "serve-002"]}
    named = ["serve-002", "serve-005", "serve-007"]
    assert tenant_walls.shared_nodes(mixed, named, named=True) == {"serve": named}


def test_nodes_that_nobody_shares_are_refused_with_the_reason(mixed):
    with pytest.raises(UsageError, match="--nodes train-001: it is no node of Kubernetes"):
        tenant_walls.shared_nodes(mixed, ["train-001"], named=True)
    data = yaml_text.load(MIXED.read_text())
    data["tenants"][0]["quota"] = data["tenants"][0]["quota"][:1]
    alone = design.expand(Site.model_validate(data), catalog.load())
    with pytest.raises(UsageError, match="serve-001: it is in a pool of one tenant at most"):
        tenant_walls.shared_nodes(alone, ["serve-001"], named=True)
    with pytest.raises(UsageError, match="no two tenants of site mixed-pod have a quota in one pool of Kubernetes"):
        tenant_walls.shared_nodes(alone, ["serve-001"], named=False)


def test_accelerators_are_divided_as_far_as_quotas_go():
    assert tenant_pods.share(8, {"a": 100, "b": 100}, ["n1", "n2"]) == {"a": 4, "b": 4}
    assert tenant_pods.share(8, {"a": 100, "b": 3}, ["n1", "n2"]) == {"a": 4, "b": 1}
    assert tenant_pods.share(2, {"a": 9, "b": 9, "c": 9}, ["n1"]) == {"a": 0, "b": 0, "c": 0}


def test_pods_are_what_any_member_may_run():
    pod = tenant_pods.TenantPod("shop", "serve-001", "amd.com/gpu", 0)
    part = tenant_pods.PodAccelerators("/dev/nvidia", "NVIDIA_VISIBLE_DEVICES", 4)
    manifest = tenant_pods.pod_manifest(pod, "busybox", "walls", part, {("lab", "serve-002"): "10.244.1.2"})
    [container] = manifest["spec"]["containers"]
    env = {entry["name"]: entry["value"] for entry in container["env"]}
    assert env["HOLDERS"] == "lab/serve-002/10.244.1.2"
    assert env["NVIDIA_VISIBLE_DEVICES"] == "0,1,2,3"
    assert "resources" not in container
    assert container["securityContext"] == tenant_pods.RESTRICTED
    assert manifest["spec"]["nodeSelector"] == {"kubernetes.io/hostname": "serve-001"}
    assert {"hostNetwork", "hostPID", "volumes", "tolerations", "nodeName"}.isdisjoint(manifest["spec"])


def test_what_a_pod_prints_never_passes_for_a_line_of_the_verb():
    pod = tenant_pods.TenantPod("shop", "serve-001", "amd.com/gpu", 0)
    forged = "# asked tenant=shop about=quota x refused\ndevices end\n"
    assert tenant_pods.printed(pod, forged) == [
        "# pod tenant=shop node=serve-001 requested=0",
        "> # asked tenant=shop about=quota x refused",
        "> devices end",
    ]


def test_every_question_is_asked_of_every_tenant(mixed):
    trial = tenant_walls.WallTrial(mixed, "busybox", Launch("walls", ("serve-001",), (), 60, 8))
    requested = [(tenant, about, what) for tenant, about, what, _ in trial._refused()]
    assert requested == [
        ("research", "quota", "33 amd.com/gpu"),
        ("research", "class", "chat"),
        ("research", "class", "system-cluster-critical"),
        ("research", "class", "system-node-critical"),
        ("research", "class", "chat in a queue"),
        ("research", "namespace", "product"),
        ("product", "quota", "49 amd.com/gpu"),
        ("product", "class", "system-cluster-critical"),
        ("product", "class", "system-node-critical"),
        ("product", "namespace", "research"),
    ]
