"""The cluster that a twin has because its site declares one, and the files of it on servers of its control plane."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from rackwright.model.design import Node
from rackwright.model.site import Site
from rackwright.platform import chart_values
from rackwright.twin.guest.products import pod_network
from rackwright.twin.guest.products.kubeadm_server import SEEDS
from rackwright.twin.hosts.host_files import file
from rackwright.twin.kubernetes.ca import ADMIN, ADMINISTRATORS
from rackwright.twin.kubernetes.control_plane import ClusterFolders, ControlPlane, Installed
from rackwright.twin.kubernetes.joining import NETWORK


def cluster_of_site(site: Site, services: Sequence[str], folders: ClusterFolders) -> ControlPlane | None:
    """The cluster of the site, with CA and keys but not started; None if its API server is not among the twin's `services`.

    If the site has tenants, a real Kueue is installed as well.
    """
    kubernetes = site.control.kubernetes
    if kubernetes is None or kubernetes.endpoint.rpartition(":")[0] not in services:
        return None
    values = chart_values.of_site(site).get("kueue") if site.tenants else None
    kinds = [name for name, addon in kubernetes.addons.items() if addon.enabled and not (values and name == "kueue")]
    return ControlPlane(kubernetes.endpoint, folders, Installed(kinds, values))


def client_variables(site: Site, cluster: ControlPlane | None) -> dict[str, str]:
    """Variables for joining and administering the twin's cluster instead of the site's.

    Without a cluster in the twin, they hide the credentials of a real one from every kubectl inside.
    """
    kubernetes = site.control.kubernetes
    if kubernetes is None or cluster is None:
        return {"KUBECONFIG": os.devnull}
    return {
        kubernetes.token_env: cluster.token,
        "RACKWRIGHT_KUBERNETES_CA": str(cluster.authority.file.resolve()),
        "KUBECONFIG": str(cluster.admin.resolve()),
    }


def seeds(cluster: ControlPlane | None, node: Node) -> list[dict[str, Any]]:
    """Files of the twin's cluster on a host: CA and administrator on a server of the control plane, the agent of the pod network on a node."""
    if cluster is not None and node.scheduler == "kubernetes":
        agent = cluster.authority.identity(f"{NETWORK}:{node.name}", NETWORK).decode()
        return [file(pod_network.IDENTITY, agent, 0o600)]
    if cluster is None or node.role != "kubernetes":
        return []
    identity = cluster.authority.identity(ADMIN, ADMINISTRATORS).decode()
    texts = {"ca.crt": cluster.authority.certificate.decode(), "admin.pem": identity}
    return [file(f"{SEEDS}/{name}", text, 0o600) for name, text in texts.items()]
