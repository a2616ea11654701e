"""What kubeadm puts into a new cluster so that nodes can join it, as objects.

Shape: Kubernetes 1.34, cmd/kubeadm/app/phases: bootstraptoken/clusterinfo and bootstraptoken/node, kubelet/config.go; the roles that are
bound here are among those that every API server has (plugin/pkg/auth/authorizer/rbac/bootstrappolicy).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rackwright.platform.object import Object, make

RBAC = "rbac.authorization.k8s.io"
JOINING = "system:bootstrappers:kubeadm:default-node-token"
"""Group of nodes that join with a token."""
NETWORK = "twin:pod-network"
"""Group of the agents of the pod network, and what they read (projectcalico/calico, manifests/calico.yaml, ClusterRole calico-node)."""
KUBELET_CONFIGURATION = (
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nclusterDomain: cluster.local\n"
)


def objects(token: str, kubeconfig: str) -> Iterator[Object]:
    """The objects, in the order in which they are applied; `kubeconfig` has the address and the CA, and no account."""
    name, secret = token.split(".")
    data = {
        "token-id": name, "token-secret": secret, "usage-bootstrap-authentication": "true",
        "usage-bootstrap-signing": "true", "auth-extra-groups": JOINING,
    }  # fmt: skip
    yield make(
        "v1", "Secret", f"bootstrap-token-{name}", "kube-system", type="bootstrap.kubernetes.io/token", stringData=data
    )
    yield make("v1", "ConfigMap", "cluster-info", "kube-public", data={"kubeconfig": kubeconfig})
    yield make("v1", "ConfigMap", "kubelet-config", "kube-system", data={"kubelet": KUBELET_CONFIGURATION})
    yield from _readable("kubeadm:bootstrap-signer-clusterinfo", "cluster-info", "kube-public", "User/system:anonymous")
    yield from _readable("kubeadm:kubelet-config", "kubelet-config", "kube-system", f"Group/{JOINING}")
    requests = "system:certificates.k8s.io:certificatesigningrequests"
    yield _bound("kubeadm:kubelet-bootstrap", "system:node-bootstrapper")
    yield make(
        f"{RBAC}/v1",
        "ClusterRole",
        NETWORK,
        rules=[_reads("", "pods", "namespaces", "nodes"), _reads("networking.k8s.io", "networkpolicies")],
    )
    yield _bound(NETWORK, NETWORK, NETWORK)
    yield _bound("kubeadm:node-autoapprove-bootstrap", f"{requests}:nodeclient")


def _readable(name: str, config_map: str, namespace: str, subject: str) -> Iterator[Object]:
    """Role and binding for reading one ConfigMap."""
    rule = {"apiGroups": [""], "resources": ["configmaps"], "resourceNames": [config_map], "verbs": ["get"]}
    yield make(f"{RBAC}/v1", "Role", name, namespace, rules=[rule])
    yield make(f"{RBAC}/v1", "RoleBinding", name, namespace, roleRef=_role("Role", name), subjects=[_subject(subject)])


def _reads(group: str, *resources: str) -> dict[str, Any]:
    return {"apiGroups": [group], "resources": list(resources), "verbs": ["get", "list"]}


def _bound(name: str, role: str, group: str = JOINING) -> Object:
    """Binding of a cluster role to a group, by default that of joining nodes."""
    return make(
        f"{RBAC}/v1", "ClusterRoleBinding", name,
        roleRef=_role("ClusterRole", role), subjects=[_subject(f"Group/{group}")],
    )  # fmt: skip


def _role(kind: str, name: str) -> dict[str, Any]:
    return {"apiGroup": RBAC, "kind": kind, "name": name}


def _subject(text: str) -> dict[str, Any]:
    kind, _, name = text.partition("/")
    return {"apiGroup": RBAC, "kind": kind, "name": name}
