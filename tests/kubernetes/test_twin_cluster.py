"""The control plane of a twin, asked by the programs of a node over real TLS, as a node joins and serves."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path

import pytest

from rackwright import design, gate, spec
from rackwright.base.errors import OutsideError
from rackwright.collect import collector
from rackwright.collect.launchers.kubectl import Kubectl
from rackwright.collect.launchers.launcher import Launch
from rackwright.flow import schedulers, tenant_account, tenant_jobs
from rackwright.flow.cluster_nodes import ClusterNodes
from rackwright.flow.tenant_jobs import RequiredJob
from rackwright.flow.tenant_queues import OpenQueue
from rackwright.flow.tenant_walls import WallTrial
from rackwright.kubernetes.client import ApiClient
from rackwright.model.tenancy import Members, Tenant
from rackwright.model.times import parse_time
from rackwright.platform import class_guard, priorities, tenants
from rackwright.platform.acceptance_guard import TAINT
from rackwright.platform.object import make
from rackwright.twin.guest.products import cluster, kubeadm
from rackwright.twin.kubernetes import tenant_faults
from rackwright.twin.kubernetes.control_plane import ClusterFolders, ControlPlane
from tests import build
from tests.patience import until
from tests.ports import free_port

pytestmark = [pytest.mark.kubernetes, pytest.mark.kubectl, pytest.mark.xdist_group("kubernetes")]
NODES = "/api/v1/nodes"
WALLS = {
    "quota": "exceeded quota: accelerators",
    "class": "exceeded quota: foreign-classes",
    "namespace": "is forbidden: User",
}
QUEUE = "the label kueue.x-k8s.io/priority-class names a class of other tenants"
NO_KUEUE = 'kubectl get: error: the server doesn\'t have a resource type "workloads"'


def folders(folder):
    return ClusterFolders(folder / "keys", folder / "data", folder)


@pytest.fixture(scope="module")
def plane(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    control_plane = ControlPlane(f"127.0.0.1:{free_port()}", folders(folder))
    control_plane.start()
    yield control_plane
    control_plane.stop()


@pytest.fixture(scope="module")
def pin(plane):
    return f"sha256:{cluster.public_key_sha256(plane.authority.certificate.decode())}"


@pytest.fixture
def identity(plane, tmp_path, monkeypatch):
    """Trust with the certificate that the cluster signs for a kubelet."""
    monkeypatch.setattr(kubeadm, "IDENTITY", str(tmp_path / "pki" / "kubelet.pem"))

    def of(name: str):
        authority = plane.authority.certificate.decode()
        pem = tmp_path / f"{name}.pem"
        pem.write_text(kubeadm._identity(plane.endpoint, plane.token, name, authority))
        return cluster.of_authority(authority, str(pem))

    return of


def test_the_owner_of_the_token_learns_the_ca_and_nobody_else_is_believed(plane, pin):
    assert kubeadm._authority(plane.endpoint, plane.token, [pin]).encode() == plane.authority.certificate
    with pytest.raises(cluster.ApiRefusedError, match="could not find a JWS signature"):
        kubeadm._authority(plane.endpoint, "abcdef.0123456789abcdef", [pin])
    wrong_secret = f"{plane.token.split('.')[0]}.0123456789abcdef"
    with pytest.raises(cluster.ApiRefusedError, match="failed to verify JWS signature"):
        kubeadm._authority(plane.endpoint, wrong_secret, [pin])
    with pytest.raises(cluster.ApiRefusedError, match="none of the public keys is pinned"):
        kubeadm._authority(plane.endpoint, plane.token, [f"sha256:{'0' * 64}"])


def test_another_ca_is_not_trusted_and_every_cluster_has_secrets_of_its_own(plane, tmp_path):
    second = ControlPlane("127.0.0.1:1", folders(tmp_path))
    assert second.token != plane.token
    with pytest.raises(cluster.ApiRefusedError, match="failed to verify certificate"):
        cluster.ask(plane.endpoint, "GET", NODES, cluster.of_authority(second.authority.certificate.decode()))
    secrets = [path for path in plane.folder.glob("*") if path.suffix in (".pem", ".key", ".conf")]
    assert len(secrets) == 6
    assert {path.stat().st_mode & 0o077 for path in secrets} == {0}


def test_an_api_server_that_is_not_there_is_said():
    with pytest.raises(cluster.ApiRefusedError, match="connection refused"):
        cluster.ask(f"127.0.0.1:{free_port()}", "GET", "/", cluster.anybody())


def test_an_address_that_is_taken_is_said(plane, tmp_path):
    second = ControlPlane(plane.endpoint, folders(tmp_path))
    try:
        with pytest.raises(OutsideError, match=r"the kube-apiserver of the twin does not start on 127.*in use"):
            second.start()
    finally:
        second.stop()


def test_a_kubelet_registers_its_own_node_once_and_reads_its_own_pods_alone(plane, identity):
    taint = {"key": "a", "value": "b", "effect": "NoSchedule"}
    node = {"metadata": {"name": "gpu-001"}, "spec": {"taints": [taint]}}
    trust = identity("gpu-001")
    created = cluster.ask(plane.endpoint, "POST", NODES, trust, body=node)
    assert taint in created["spec"]["taints"]
    with pytest.raises(cluster.ApiRefusedError, match="already exists") as refused:
        cluster.ask(plane.endpoint, "POST", NODES, trust, body=node)
    assert refused.value.status == 409
    with pytest.raises(cluster.ApiRefusedError, match=r"node .gpu-001. is not allowed to modify node .gpu-002."):
        cluster.ask(plane.endpoint, "POST", NODES, trust, body={"metadata": {"name": "gpu-002"}})
    pods = "/api/v1/pods?fieldSelector=spec.nodeName%3D"
    assert cluster.ask(plane.endpoint, "GET", f"{pods}gpu-001", trust)["items"] == []
    with pytest.raises(cluster.ApiRefusedError, match=r"can only list/watch pods with spec\.nodeName field selector"):
        cluster.ask(plane.endpoint, "GET", f"{pods}gpu-002", trust)


def test_without_an_identity_nothing_but_the_information_is_given(plane):
    trust = cluster.of_authority(plane.authority.certificate.decode())
    for token in ("", plane.token):
        with pytest.raises(cluster.ApiRefusedError, match="cannot create resource") as refused:
            cluster.ask(plane.endpoint, "POST", NODES, trust, token=token, body={"metadata": {"name": "x"}})
        assert refused.value.status == 403


def test_the_gate_carries_its_decisions_out_with_the_account_of_the_twin(plane):
    taint = {"key": TAINT, "value": "pending", "effect": "NoSchedule"}
    trust = cluster.of_authority(plane.authority.certificate.decode(), str(_admin(plane)))
    for name in ("gpu-011", "gpu-012"):
        body = {"metadata": {"name": name}, "spec": {"taints": [taint]}}
        cluster.ask(plane.endpoint, "POST", NODES, trust, body=body)

    async def run():
        client = await ApiClient.connect(str(plane.admin))
        assert await client.may("patch", "nodes")
        decisions = [build.decision("gpu-011"), build.decision("gpu-012", accepted=False)]
        acts = await gate.apply_taints(decisions, ClusterNodes(client), parse_time("2026-11-21T10:00:00+00:00"))
        return acts, await client.items("v1", "Node")

    acts, nodes = asyncio.run(run())
    assert [act.verb for act in acts] == ["resume", "drain"]
    ours = {
        node["metadata"]["name"]: [entry["value"] for entry in node["spec"].get("taints", []) if entry["key"] == TAINT]
        for node in nodes
    }
    assert (ours["gpu-011"], ours["gpu-012"]) == ([], ["refused"])


def test_walls_between_tenants_are_tried_in_the_name_of_their_members(plane, monkeypatch):
    """What the stack declares refuses everything; each wall that somebody opens is seen, and no other."""
    monkeypatch.setenv("KUBECONFIG", str(plane.admin))
    loaded = spec.load(Path(__file__).parents[2] / "inventories" / "mixed-pod" / "site.yaml")
    mixed = design.expand(loaded.site, loaded.catalog)
    trial = WallTrial(mixed, "busybox", Launch("walls", ("serve-001",), (), 60, 8))
    parse = collector.library()["tenant_walls"].parse
    pod = "# pod tenant=x node=y requested=0\n> devices end\n"

    async def requested():
        walls = parse(pod + "\n".join(await trial.refusals())).refusals
        return {about: [refusal.answer for refusal in walls if refusal.about == about] for about in WALLS}

    async def prepare():
        client = await ApiClient.connect(str(plane.admin))
        resources = schedulers.kubernetes_resources(mixed)
        walls = (*tenants.objects(mixed, resources), *class_guard.objects(mixed))
        for entry in (*priorities.objects(mixed, queued=True), *walls):
            await client.apply(entry, "test")
        for tenant in mixed.site.tenants:
            await tenant_account.ready(Kubectl(tenant.name))

    asyncio.run(prepare())
    until(lambda: all(asyncio.run(requested())["class"]))  # a policy counts some time after it is there
    answers = asyncio.run(requested())
    (queue,) = (answer for answer in answers["class"] if QUEUE in answer)
    answers["class"].remove(queue)
    assert {about: len(answers[about]) for about in WALLS} == {"quota": 2, "class": 5, "namespace": 2}
    for about, words in WALLS.items():
        assert all(words in answer for answer in answers[about]), answers[about]
    names = [tenant.name for tenant in mixed.site.tenants]
    assert asyncio.run(tenant_faults.open_walls(names, ("network", "devices"))) == []
    assert len(asyncio.run(tenant_faults.open_walls(names, ("class", "namespace")))) == 3
    answers = asyncio.run(requested())
    assert all("exceeded quota: accelerators" in answer for answer in answers["quota"])
    assert {*answers["class"], *answers["namespace"]} == {"", queue}, "the policy of queues is no quota"


def test_a_job_that_does_not_run_and_a_cluster_without_kueue_are_reported(plane, monkeypatch):
    monkeypatch.setenv("KUBECONFIG", str(plane.admin))
    lab = Tenant(name="lab", members=Members(groups=["lab"]))

    async def run():
        client = await ApiClient.connect(str(plane.admin))
        role = {"apiGroup": tenants.RBAC, "kind": "ClusterRole", "name": "edit"}
        people = [{"kind": "Group", "name": "lab", "apiGroup": tenants.RBAC}]
        await client.apply(make("v1", "Namespace", "lab"), "test")
        await client.apply(
            make(f"{tenants.RBAC}/v1", "RoleBinding", "members", "lab", roleRef=role, subjects=people), "test"
        )
        request = RequiredJob(lab, "example.com/gpu", 4, OpenQueue("preemptible", 4, "", ""))
        return await tenant_jobs.prove([request], "busybox", seconds=0.5)

    proof = asyncio.run(run())
    assert proof.sentences == ()
    assert proof.wrong == (
        "lab could not run a job with 4 example.com/gpu: it did not end well.",
        f"lab submitted a job with 8 example.com/gpu to its queue preemptible, whose limit is 4: {NO_KUEUE}.",
    )


def _admin(plane):
    """The certificate of the administrator, as a file."""
    path = plane.folder / "admin.pem.test"
    data = json.loads(plane.admin.read_text())["users"][0]["user"]["client-certificate-data"]
    path.write_bytes(base64.b64decode(data))
    return path
