"""Images of a Kubernetes cluster, from ``data/kubernetes_images.yaml``: those of kubeadm by release, and those of
network plug-ins.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.compat.rule import read
from rackwright.compat.version import compare
from rackwright.model.base import Record
from rackwright.model.control import Kubernetes

OUTSIDE = "write them into software.images; `kubeadm config images list` and the manifest of the plug-in name them"


class KubeadmRow(Record):
    """Releases of one minor version whose further images have the same tags."""

    from_: Annotated[str, Field(alias="from")]
    read_to: str
    coredns: str
    pause: str
    etcd: str

    def covers(self, version: str) -> bool:
        """Whether a release is of this minor version, and not before `from`."""
        return version.split(".")[:2] == self.from_.split(".")[:2] and compare(version, self.from_) >= 0


class KubeadmImages(Record):
    """Images that kubeadm pulls."""

    registry: str
    components: list[str]
    rows: list[KubeadmRow]
    source: str
    date: str

    def row(self, version: str) -> KubeadmRow | None:
        """The row of a release; None for releases that the table does not cover."""
        return next((row for row in self.rows if row.covers(version)), None)


class PluginImages(Record):
    """Images of some releases of a network plug-in."""

    plugin: str
    from_: Annotated[str, Field(alias="from")]
    before: str
    images: list[str]
    """Images with the release as their tag."""
    exact: list[str] = []
    """Images with tags of their own."""
    source: str
    date: str

    def covers(self, plugin: str, version: str) -> bool:
        """Whether a release of a plug-in is among these."""
        return plugin == self.plugin and compare(version, self.from_) >= 0 and compare(version, self.before) < 0

    def at(self, version: str) -> list[str]:
        """The images of a release."""
        return [*(f"{image}:v{version}" for image in self.images), *self.exact]


class KubernetesImages(Record):
    """The content of ``data/kubernetes_images.yaml``."""

    kubeadm: KubeadmImages
    plugins: list[PluginImages]


@cache
def load() -> KubernetesImages:
    """The content of ``data/kubernetes_images.yaml``."""
    return KubernetesImages.model_validate(read("kubernetes_images"))


def of_servers(version: str, *, etcd: bool = True) -> list[str]:
    """Images of a control-plane server, in the order of ``kubeadm config images list``; `etcd`: whether each server has
    an etcd member.
    """
    kubeadm = load().kubeadm
    row = kubeadm.row(version)
    tagged = [f"{name}:v{version}" for name in kubeadm.components]
    if row:
        tagged += [f"coredns/coredns:{row.coredns}", f"pause:{row.pause}", *([f"etcd:{row.etcd}"] if etcd else [])]
    return [f"{kubeadm.registry}/{name}" for name in tagged]


def of_nodes(version: str, kubelet: str) -> list[str]:
    """Images that run on every node: those that the control plane of `version` starts there, including CoreDNS, and the
    pause image of its `kubelet`.
    """
    started = [image for image in of_servers(version) if "/kube-proxy:" in image or "/coredns:" in image]
    return [*started, *filter(None, [pause(kubelet)])]


def pause(version: str) -> str:
    """The image that holds the network of a pod, as kubeadm expects it; empty for releases that the table does not
    cover.
    """
    return next((image for image in of_servers(version) if "/pause:" in image), "")


def of_network(kubernetes: Kubernetes) -> list[str]:
    """Images of the declared network plug-in; empty without one, and for releases that the table does not cover."""
    network = kubernetes.network
    rows = [row for row in load().plugins if network and row.covers(network.plugin, network.version)]
    return rows[0].at(network.version) if network and rows else []


def unread(kubernetes: Kubernetes) -> list[str]:
    """One sentence for each unknown image of a cluster on servers of the site."""
    kubeadm, network = load().kubeadm, kubernetes.network
    row, sentences = kubeadm.row(kubernetes.version), []
    if row is None:
        sentences = [f"CoreDNS, pause and etcd of Kubernetes {kubernetes.version} are not listed: {OUTSIDE}"]
    elif compare(kubernetes.version, row.read_to) > 0:
        sentences = [
            f"CoreDNS, pause and etcd of Kubernetes {kubernetes.version} are listed as those of {row.read_to}, the newest release that was read"
        ]
    if network and not of_network(kubernetes):
        sentences.append(f"images of {network.plugin} {network.version} are not listed: {OUTSIDE}")
    return sentences
