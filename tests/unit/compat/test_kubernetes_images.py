"""Images of a cluster on servers of the site: what its mirror lists, and what nobody read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.compat import kubernetes_images
from rackwright.compat.rule import read
from rackwright.model.control import Kubernetes
from rackwright.model.site import Site
from rackwright.onboard.required_software import required_software

MIXED = Path(__file__).resolve().parents[3] / "inventories" / "mixed-pod" / "site.yaml"


@pytest.fixture
def images():
    """``images(**fields)``: by role what nodes of the site pull, with changed fields of its cluster."""

    def listed(**fields):
        data = yaml_text.load(MIXED.read_text())
        data["control"]["kubernetes"] |= fields
        expanded = design.expand(Site.model_validate(data), catalog.load())
        required = [software for software in required_software(expanded) if software.kind == "image"]
        roles = {software.role for software in required}
        return {role: [software.name for software in required if software.role == role] for role in roles}

    return listed


NETWORK = [f"docker.io/calico/{name}:v3.30.4" for name in ("cni", "node", "kube-controllers")]


def test_servers_and_nodes_of_a_cluster_of_the_site_pull_what_kubeadm_and_the_plug_in_name(images):
    listed = images()
    assert listed["kubernetes_control_plane"][-5:] == [
        "registry.k8s.io/pause:3.10.1",
        "registry.k8s.io/etcd:3.6.5-0",
        *NETWORK,
    ]
    assert listed["kubernetes_node"] == [
        "registry.k8s.io/kube-proxy:v1.34.2", "registry.k8s.io/coredns/coredns:v1.12.1", "registry.k8s.io/pause:3.10.1", *NETWORK,
    ]  # fmt: skip


def test_etcd_elsewhere_and_a_cluster_of_somebody_else(images):
    elsewhere = {"server": "head-node-1u", "count": 3, "endpoint_by": "keepalived", "etcd": ["10.80.4.5:2379"]}
    assert not [image for image in images(servers=elsewhere)["kubernetes_control_plane"] if "etcd" in image]
    assert images(servers=None, ca_sha256="0" * 64) == {}


def test_nodes_keep_the_pause_image_of_their_kubelet_while_servers_are_newer():
    assert kubernetes_images.of_nodes("1.34.2", "1.33.6") == [
        "registry.k8s.io/kube-proxy:v1.34.2", "registry.k8s.io/coredns/coredns:v1.12.1", "registry.k8s.io/pause:3.10",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("version", "plugin", "sentences"),
    [
        ("1.34.2", "3.30.4", []),
        ("1.34.9", "3.30.4", ["CoreDNS, pause and etcd of Kubernetes 1.34.9 are listed as those of 1.34.4, the newest release that was read"]),
        ("1.33.1", "3.31.0", [
            f"CoreDNS, pause and etcd of Kubernetes 1.33.1 are not listed: {kubernetes_images.OUTSIDE}",
            f"images of calico 3.31.0 are not listed: {kubernetes_images.OUTSIDE}",
        ]),
    ],
)  # fmt: skip
def test_what_nobody_read_is_said(version, plugin, sentences):
    data = yaml_text.load(MIXED.read_text())["control"]["kubernetes"]
    data |= {"version": version, "network": data["network"] | {"version": plugin}}
    kubernetes = Kubernetes.model_validate(data)
    assert kubernetes_images.unread(kubernetes) == sentences


def test_rows_of_one_minor_version_do_not_meet():
    rows = read("kubernetes_images")["kubeadm"]["rows"]
    assert len({row["from"].rpartition(".")[0] for row in rows}) == len(rows)
