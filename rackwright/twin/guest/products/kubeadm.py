"""kubeadm of a twin node: ``join --config`` against a real API endpoint, ``reset``, ``version``; that of a server is `kubeadm_server`.

Shape: Kubernetes 1.34, cmd/kubeadm: preflight, discovery by a signed ConfigMap, the pin of the CA, a certificate for the kubelet, and the
files that it leaves behind.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import socket
import sys
import time
from typing import Any

from . import cluster, containerd, kubeadm_server, parts
from .cluster import ApiRefusedError

FOLDER = "/etc/kubernetes"
KUBELET = "/var/lib/kubelet"
IDENTITY = f"{KUBELET}/pki/kubelet-client-current.pem"
SIGNING_SECONDS, LOOK_SECONDS = 300.0, 0.2
"""For the controllers of the cluster (constants of kubeadm: TLSBootstrapTimeout, 5 minutes)."""


def main() -> int:
    """Entry point."""
    words = sys.argv[1:]
    if words[:1] == ["version"]:
        print(f"v{parts.release('kubeadm')}")
        return 0
    if words[:1] == ["reset"]:
        return _reset()
    try:
        return _carry_out(words)
    except ApiRefusedError as error:
        print(f"error: {error}\nTo see the stack trace of this error execute with --v=5 or higher", file=sys.stderr)
        return 1


def _carry_out(words: list[str]) -> int:
    path = parts.option(words, "--config")
    if words[:1] == ["join"]:
        with open(path, encoding="utf-8") as file:
            configuration = json.load(file)
        _preflight()
        _join(configuration)
        print("This node has joined the cluster")
    elif words[:1] == ["init"] and words[1:2] != ["phase"]:
        _init(path)
    elif not kubeadm_server.carry_out(words, path):
        print("usage: kubeadm init | join --config FILE | token | upgrade | reset | version", file=sys.stderr)
        return 1
    return 0


def _init(path: str) -> None:
    """Found the cluster, as administrator of the twin's cluster."""
    kubeadm_server.refuse_second()
    _preflight()
    declared = kubeadm_server.ServerConfiguration(path)
    kubeadm_server.write_server(declared, declared.endpoint)
    token = kubeadm_server.create_token(declared.endpoint)
    node, authority = _of_server(declared.name, declared.address), kubeadm_server.read(kubeadm_server.AUTHORITY)
    _register(declared.endpoint, token, node, authority)
    kubeadm_server.delete_token(token.partition(".")[0])
    kubeadm_server.mark(declared.endpoint, declared.name)
    print("Your Kubernetes control-plane has initialized successfully!")


def _of_server(name: str, address: str) -> dict[str, Any]:
    taint = {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}
    arguments = [{"name": "node-ip", "value": address}]
    return {"name": name, "criSocket": f"unix://{containerd.SOCKET}", "taints": [taint], "kubeletExtraArgs": arguments}


def _reset() -> int:
    """Remove all files of the cluster."""
    shutil.rmtree(f"{FOLDER}/pki", ignore_errors=True)
    shutil.rmtree(f"{FOLDER}/manifests", ignore_errors=True)
    written = [f"{FOLDER}/{name}.conf" for name in ("kubelet", "admin", "super-admin")]
    for path in (*written, f"{KUBELET}/config.yaml", f"{KUBELET}/kubeadm-flags.env", IDENTITY):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
    return 0


def _preflight() -> None:
    if os.path.exists(f"{FOLDER}/kubelet.conf"):
        raise ApiRefusedError(
            f"[preflight] Some fatal errors occurred: [ERROR FileAvailable--etc-kubernetes-kubelet.conf]: {FOLDER}/kubelet.conf already exists"
        )
    try:
        with socket.socket(socket.AF_UNIX) as channel:
            channel.connect(containerd.SOCKET)
    except OSError:
        raise ApiRefusedError(
            "[preflight] Some fatal errors occurred: [ERROR CRI]: could not connect to the container runtime"
        ) from None


def _join(configuration: dict[str, Any]) -> None:
    discovery, node = configuration["discovery"]["bootstrapToken"], configuration["nodeRegistration"]
    endpoint, token, server = discovery["apiServerEndpoint"], discovery["token"], configuration.get("controlPlane")
    authority = _authority(endpoint, token, discovery["caCertHashes"])
    if server:
        kubeadm_server.refuse_second()
        kubeadm_server.download(endpoint, server["certificateKey"])
        declared = kubeadm_server.ServerConfiguration(f"{FOLDER}/rackwright/kubeadm.yaml")
        kubeadm_server.write_server(declared, endpoint)
        node = _of_server(node["name"], server["localAPIEndpoint"]["advertiseAddress"])
    _register(endpoint, token, node, authority)
    if server:
        kubeadm_server.mark(endpoint, node["name"])


def _register(endpoint: str, token: str, node: dict[str, Any], authority: str) -> None:
    """The identity of the kubelet, its files, and the kubelet itself, which makes the node."""
    trust = cluster.of_authority(authority)
    cluster_info = cluster.ask(
        endpoint, "GET", "/api/v1/namespaces/kube-system/configmaps/kubelet-config", trust, token=token
    )
    identity = _identity(endpoint, token, node["name"], authority)
    parts.write(f"{FOLDER}/pki/ca.crt", authority)
    parts.write(f"{KUBELET}/config.yaml", cluster_info["data"]["kubelet"])
    taints = ",".join(f"{taint['key']}={taint.get('value', '')}:{taint['effect']}" for taint in node.get("taints", []))
    more = [f"--{taint['name']}={taint['value']}" for taint in node.get("kubeletExtraArgs", [])]
    flags = [f"--container-runtime-endpoint={node['criSocket']}", f"--hostname-override={node['name']}", *more]
    flags += [f"--register-with-taints={taints}"] if taints else []
    parts.write(f"{KUBELET}/kubeadm-flags.env", f'KUBELET_KUBEADM_ARGS="{" ".join(flags)}"\n')
    parts.write(IDENTITY, identity, 0o600)
    parts.write(f"{FOLDER}/kubelet.conf", _kubeconfig(endpoint, authority, node["name"]), 0o600)
    parts.output("systemctl", "restart", "kubelet")


def _authority(endpoint: str, token: str, pins: list[str]) -> str:
    """The CA of the cluster, verified by the signature of the token's owner and by the pin of its public key."""
    path = "/api/v1/namespaces/kube-public/configmaps/cluster-info"
    data = cluster.ask(endpoint, "GET", path, cluster.anybody())["data"]
    text = data["kubeconfig"]
    name = token.split(".")[0]
    if f"jws-kubeconfig-{name}" not in data:
        raise ApiRefusedError(f'could not find a JWS signature in the cluster-info ConfigMap for token ID "{name}"')
    if data[f"jws-kubeconfig-{name}"] != cluster.signature(text, token):
        raise ApiRefusedError(
            "failed to verify JWS signature of received cluster info object, can't trust this API Server"
        )
    authority = base64.b64decode(json.loads(text)["clusters"][0]["cluster"]["certificate-authority-data"]).decode()
    if f"sha256:{cluster.public_key_sha256(authority)}" not in pins:
        raise ApiRefusedError(
            f"cluster CA found in cluster-info ConfigMap is invalid: none of the public keys is pinned ({', '.join(pins)})"
        )
    return authority


def _identity(endpoint: str, token: str, name: str, authority: str) -> str:
    """Certificate and key of the kubelet, by a request that the cluster signs."""
    key = parts.output("openssl", "ecparam", "-genkey", "-noout", "-name", "prime256v1")
    folder = os.path.dirname(IDENTITY)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    parts.write(f"{folder}/new.key", key.decode(), 0o600)
    subject = f"/O=system:nodes/CN=system:node:{name}"
    request = parts.output("openssl", "req", "-new", "-key", f"{folder}/new.key", "-subj", subject)
    os.unlink(f"{folder}/new.key")
    body = {
        "kind": "CertificateSigningRequest",
        "metadata": {"generateName": "csr-"},
        "spec": {
            "request": base64.b64encode(request).decode(),
            "signerName": "kubernetes.io/kube-apiserver-client-kubelet",
            "usages": ["digital signature", "client auth"],
        },
    }
    path, trust = "/apis/certificates.k8s.io/v1/certificatesigningrequests", cluster.of_authority(authority)
    entry = cluster.ask(endpoint, "POST", path, trust, token=token, body=body)
    deadline = time.monotonic() + SIGNING_SECONDS
    while "certificate" not in (entry.get("status") or {}):
        if time.monotonic() > deadline:
            raise ApiRefusedError("timed out waiting for the condition: the certificate of the kubelet is not signed")
        time.sleep(LOOK_SECONDS)
        entry = cluster.ask(endpoint, "GET", f"{path}/{entry['metadata']['name']}", trust, token=token)
    return base64.b64decode(entry["status"]["certificate"]).decode() + key.decode()


def _kubeconfig(endpoint: str, authority: str, name: str) -> str:
    data = base64.b64encode(authority.encode()).decode()
    return (
        "apiVersion: v1\nkind: Config\ncurrent-context: default\nclusters:\n- name: default\n  cluster:\n"
        f"    certificate-authority-data: {data}\n    server: https://{endpoint}\ncontexts:\n- name: default\n  context:\n"
        f"    cluster: default\n    user: {name}\nusers:\n- name: {name}\n  user:\n"
        f"    client-certificate: {IDENTITY}\n    client-key: {IDENTITY}\n"
    )
