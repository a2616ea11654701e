"""The API server that stands in for a cluster, asked by the programs of a node over real TLS."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess

import pytest

from rackwright import gate
from rackwright.base.errors import OutsideError
from rackwright.flow.cluster_nodes import ClusterNodes
from rackwright.kubernetes.client import ApiClient
from rackwright.model.times import parse_time
from rackwright.platform.acceptance_guard import TAINT
from rackwright.twin.guest.products import cluster, kubeadm
from rackwright.twin.kubernetes.control_plane import ControlPlane
from rackwright.twin.kubernetes.resources import NODES
from tests import build
from tests.ports import free_port


@pytest.fixture
def plane(tmp_path):
    control_plane = ControlPlane(f"127.0.0.1:{free_port()}", tmp_path / "cluster")
    control_plane.start()
    yield control_plane
    control_plane.stop()


@pytest.fixture
def pin(plane):
    return f"sha256:{cluster.public_key_sha256(plane.authority.certificate.decode())}"


def test_the_owner_of_the_token_learns_the_ca_and_nobody_else_is_believed(plane, pin):
    assert kubeadm._authority(plane.endpoint, plane.token, [pin]).encode() == plane.authority.certificate
    with pytest.raises(cluster.ApiRefusedError, match="could not find a JWS signature"):
        kubeadm._authority(plane.endpoint, "abcdef.0123456789abcdef", [pin])
    wrong_secret = f"{plane.token.split('.')[0]}.0123456789abcdef"
    with pytest.raises(cluster.ApiRefusedError, match="failed to verify JWS signature"):
        kubeadm._authority(plane.endpoint, wrong_secret, [pin])
    with pytest.raises(cluster.ApiRefusedError, match="none of the public keys is pinned"):
        kubeadm._authority(plane.endpoint, plane.token, [f"sha256:{'0' * 64}"])


def test_another_ca_is_not_trusted(plane, tmp_path):
    authority = ControlPlane("127.0.0.1:1", tmp_path / "other").authority
    with pytest.raises(cluster.ApiRefusedError, match="failed to verify certificate"):
        cluster.ask(plane.endpoint, "GET", "/api/v1/nodes", cluster.of_authority(authority.certificate.decode()))


def test_an_api_server_that_is_not_there_is_said(plane):
    plane.stop()
    with pytest.raises(cluster.ApiRefusedError, match="connection refused"):
        cluster.ask(plane.endpoint, "GET", "/", cluster.anybody())
    plane.start()


@pytest.fixture
def identity(plane, tmp_path):
    """A certificate as a kubelet gets it; returns trust with that identity."""

    def of(name: str):
        key = tmp_path / f"{name}.key"
        curve = ["openssl", "ecparam", "-genkey", "-noout", "-name", "prime256v1", "-out", str(key)]
        subprocess.run(curve, check=True)
        subject = f"/O=system:nodes/CN=system:node:{name}"
        request = subprocess.run(
            ["openssl", "req", "-new", "-key", str(key), "-subj", subject], check=True, capture_output=True
        ).stdout
        body = {"spec": {"request": base64.b64encode(request).decode()}}
        trust = cluster.of_authority(plane.authority.certificate.decode())
        path = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
        signed = cluster.ask(plane.endpoint, "POST", path, trust, token=plane.token, body=body)
        pem = tmp_path / f"{name}.pem"
        pem.write_bytes(base64.b64decode(signed["status"]["certificate"]) + key.read_bytes())
        return cluster.of_authority(plane.authority.certificate.decode(), str(pem))

    return of


def test_a_kubelet_registers_its_own_node_once(plane, identity):
    node = {"metadata": {"name": "gpu-001"}, "spec": {"taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]}}
    trust = identity("gpu-001")
    cluster.ask(plane.endpoint, "POST", "/api/v1/nodes", trust, body=node)
    nodes = json.loads((plane.folder / "nodes.json").read_text())
    assert {name: entry["spec"] for name, entry in nodes.items()} == {"gpu-001": node["spec"]}
    assert nodes["gpu-001"]["metadata"]["labels"] == {"kubernetes.io/hostname": "gpu-001"}
    with pytest.raises(cluster.ApiRefusedError, match="already exists") as refused:
        cluster.ask(plane.endpoint, "POST", "/api/v1/nodes", trust, body=node)
    assert refused.value.status == 409
    foreign = {"metadata": {"name": "gpu-002"}}
    with pytest.raises(cluster.ApiRefusedError, match="not allowed to create node gpu-002"):
        cluster.ask(plane.endpoint, "POST", "/api/v1/nodes", trust, body=foreign)


def test_without_an_identity_nothing_but_the_information_is_given(plane):
    trust = cluster.of_authority(plane.authority.certificate.decode())
    for token, status in (("", 401), (plane.token, 403)):
        with pytest.raises(cluster.ApiRefusedError) as refused:
            cluster.ask(plane.endpoint, "POST", "/api/v1/nodes", trust, token=token, body={"metadata": {"name": "x"}})
        assert refused.value.status == status


def test_an_address_that_is_taken_is_said(plane, tmp_path):
    with pytest.raises(OutsideError, match="cannot listen on"):
        ControlPlane(plane.endpoint, tmp_path / "second").start()


def test_every_cluster_has_a_token_of_its_own(plane, tmp_path):
    assert ControlPlane(plane.endpoint, tmp_path / "second").token != plane.token


def test_the_gate_carries_its_decisions_out_here_as_on_a_real_one(plane):
    taint = {"key": TAINT, "value": "pending", "effect": "NoSchedule"}
    for name in ("gpu-001", "gpu-002"):
        plane.objects.create(NODES, "", {"metadata": {"name": name}, "spec": {"taints": [taint]}})

    async def run():
        client = await ApiClient.connect(str(plane.admin))
        assert await client.may("patch", "nodes")
        decisions = [build.decision("gpu-001"), build.decision("gpu-002", accepted=False)]
        return await gate.apply_taints(decisions, ClusterNodes(client), parse_time("2026-11-21T10:00:00+00:00"))

    assert [(act.verb, act.done) for act in asyncio.run(run())] == [("resume", True), ("drain", True)]
    taints = {node["metadata"]["name"]: node["spec"]["taints"] for node in plane.objects.all(NODES)}
    assert taints == {"gpu-001": [], "gpu-002": [taint | {"value": "refused"}]}
