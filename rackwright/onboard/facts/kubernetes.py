"""Facts of the Kubernetes roles: the API server and its servers, how it is recognised, and what nodes carry that an operator must not bring again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from rackwright.compat import kubernetes_images
from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context

CARRIED = ("driver", "container_toolkit", "dcgm", "dcgm_exporter", "mig_manager", "doca", "gds", "gdrcopy")
"""Fields of the bill that the GPU Operator would install as well."""


def _endpoint(context: Context) -> str:
    kubernetes = context.design.site.control.kubernetes
    return kubernetes.endpoint if kubernetes else ""


def _ca_sha256(context: Context) -> str:
    """The site's, or that of the cluster that stands in for it."""
    kubernetes, ca_file = context.design.site.control.kubernetes, context.files.get("kubernetes_ca")
    if ca_file is not None:
        return public_key_sha256(ca_file.read_bytes())
    return (kubernetes.ca_sha256 or "") if kubernetes else ""


def public_key_sha256(certificate: bytes) -> str:
    """SHA-256 of the public key of a certificate in PEM, as kubeadm pins it (RFC 7469, SubjectPublicKeyInfo)."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_pem_x509_certificate(certificate).public_key()
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


def _of_cluster(name: str) -> Callable[[Context], str]:
    def fact(context: Context) -> str:
        kubernetes = context.design.site.control.kubernetes
        network = kubernetes.network if kubernetes else None
        return str(getattr(network if name in ("pods", "services") else kubernetes, name, ""))

    return fact


def _servers(context: Context) -> list[dict[str, str]]:
    """In the order of the design: the first founds the cluster."""
    return [{"name": node.name, "address": node.inband_address} for node in context.design.nodes("kubernetes")]


def _endpoint_by(context: Context) -> str:
    kubernetes = context.design.site.control.kubernetes
    return (kubernetes.servers.endpoint_by or "") if kubernetes and kubernetes.servers else ""


def _etcd(context: Context) -> list[str]:
    kubernetes = context.design.site.control.kubernetes
    return kubernetes.servers.etcd if kubernetes and kubernetes.servers else []


def _cluster(context: Context) -> str:
    return context.design.site.site


def _token_file(context: Context) -> str:
    path = context.files.get("kubeadm_token")
    return str(path.absolute()) if path else ""


def _labels_by_pool(context: Context) -> dict[str, dict[str, str]]:
    """Pool -> what its nodes carry, for the pools of NVIDIA nodes in Kubernetes: one operator serves them all."""
    design = context.design
    pools = {node.pool for node in design.nodes("accelerator") if _is_served(node)}
    bills = {pool: design.site.software.bill(pool) for pool in sorted(pools)}
    return {pool: {name: str(getattr(bill, name)) for name in CARRIED} for pool, bill in bills.items()}


def _without(addon: str) -> Callable[[Context], bool]:
    """Whether the cluster lacks a component, so that the operator brings its part along."""

    def fact(context: Context) -> bool:
        kubernetes = context.design.site.control.kubernetes
        return not (kubernetes and kubernetes.addon_version(addon))

    return fact


def _is_served(node: Node) -> bool:
    return node.scheduler == "kubernetes" and node.accelerator is not None and node.accelerator.vendor == "nvidia"


def _name(context: Context, node: Node) -> Any:  # noqa: ARG001 - the form of a fact
    return node.name


def _address(context: Context, node: Node) -> Any:  # noqa: ARG001 - the form of a fact
    return node.inband_address


def _sandbox_image(context: Context, node: Node) -> Any:
    """As kubeadm expects it, so that the mirror need not carry a second one for containerd."""
    release = context.design.site.software.bill(node.pool).kubernetes
    return kubernetes_images.pause(release) if release and "kubernetes" in (node.scheduler, node.role) else ""


SITE_FACTS = {
    "kubernetes_endpoint": _endpoint,
    "kubernetes_ca_sha256": _ca_sha256,
    "kubernetes_token_file": _token_file,
    "kubernetes_carried": _labels_by_pool,
    # Two of Node Feature Discovery undo each other's labels; two device plugins claim the same GPUs.
    "operator_nfd": _without("node-feature-discovery"),
    "operator_device_plugin": _without("hami"),
    "kubernetes_version": _of_cluster("version"),
    "kubernetes_pods": _of_cluster("pods"),
    "kubernetes_services": _of_cluster("services"),
    "kubernetes_servers": _servers,
    "kubernetes_endpoint_by": _endpoint_by,
    "kubernetes_etcd": _etcd,
    "kubernetes_cluster": _cluster,
}
FACTS = {"node_name": _name, "node_address": _address, "sandbox_image": _sandbox_image}
