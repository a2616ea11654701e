"""kubeadm of a server of the control plane: ``init`` and its phases, ``token``, ``join`` of a server, ``upgrade``, ``certs``.

The API server itself is the one of the twin, at the address of the cluster: what kubeadm would start here is written and not run. Shape: Kubernetes
1.34, cmd/kubeadm: files, flags, messages (the files are held against the real kubeadm in tests/kubernetes/test_control_plane_role.py).
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import re
import secrets
import string
import time
from typing import Any

from . import cluster, parts
from .cluster import ApiRefusedError

FOLDER = "/etc/kubernetes"
SEEDS = f"{parts.RELEASES}/cluster"
"""CA and administrator of the twin's cluster, where a real server would make them."""
AUTHORITY, ADMIN = f"{SEEDS}/ca.crt", f"{SEEDS}/admin.pem"
ALPHABET = string.ascii_lowercase + string.digits
JOINING = "system:bootstrappers:kubeadm:default-node-token"
SIGNING_SECONDS, LOOK_SECONDS = 60.0, 0.2
"""The signer of the cluster follows a new token; kubeadm join of a real node waits for it (discovery, 5 minutes)."""
COMPONENTS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd")
SECRETS = "/api/v1/namespaces/kube-system/secrets"
MOUNTED = re.compile(r"name: (?:audit-policy-file|encryption-provider-config), value: (\S+?)}")


class ServerConfiguration:
    """The fields of a kubeadm configuration that this host needs."""

    def __init__(self, path: str) -> None:
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.endpoint, self.name = self._value("controlPlaneEndpoint"), self._value("name")
        self.release, self.key = self._value("kubernetesVersion"), self._value("certificateKey")
        self.registry = self._value("imageRepository") or "registry.k8s.io"
        self.address = self._value("advertiseAddress")

    def _value(self, field: str) -> str:
        match = re.search(rf'(?:^|[ {{]){field}: "?([^"\s,}}]+)', self.text, re.MULTILINE)
        return match[1] if match else ""

    def arguments(self) -> list[str]:
        """Extra arguments of the API server."""
        block = self.text.partition("apiServer:")[2].partition("extraVolumes:")[0]
        return [f"--{name}={value}" for name, value in re.findall(r'name: ([a-z-]+), value: "?([^"}]+)', block)]


def carry_out(words: list[str], path: str) -> bool:
    """Run a command for servers with a control plane; False if it is another command. `path` is that of its configuration."""
    if words[:2] == ["token", "create"]:
        token, pin = create_token(endpoint()), cluster.public_key_sha256(read(AUTHORITY))
        joining = f"kubeadm join {endpoint()} --token {token} --discovery-token-ca-cert-hash sha256:{pin}"
        print(joining if "--print-join-command" in words else token)
    elif words[:2] == ["token", "delete"]:
        delete_token(words[2])
    elif words[:3] == ["init", "phase", "upload-certs"]:
        upload(ServerConfiguration(path))
    elif words[:3] == ["init", "phase", "control-plane"]:
        write_manifests(ServerConfiguration(path))
    elif words[:3] == ["init", "phase", "upload-config"]:
        print("[upload-config] Storing the configuration used in ConfigMap")
    elif words[:1] == ["upgrade"]:
        print(f'[upgrade] SUCCESS! A control plane node of your cluster was upgraded to "v{upgrade(words[1:])}".')
    else:
        return False
    return True


def read(path: str) -> str:
    """A file as text."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def api(endpoint: str, method: str, path: str, body: Any = None, content_type: str = "") -> Any:
    """Send a request to the API server as administrator of the cluster."""
    trust = cluster.of_authority(read(AUTHORITY), ADMIN)
    return cluster.ask(endpoint, method, path, trust, body=body, content_type=content_type)


def endpoint() -> str:
    """Address and port of the cluster of this server."""
    match = re.search(r"server: https://(\S+)", read(f"{FOLDER}/admin.conf"))
    return match[1] if match else ""


def refuse_second(message: str = "already exists") -> None:
    """ApiRefusedError if the server has a control plane already."""
    path = f"{FOLDER}/manifests/kube-apiserver.yaml"
    if os.path.exists(path):
        raise ApiRefusedError(
            f"[preflight] Some fatal errors occurred: [ERROR FileAvailable--etc-kubernetes-manifests-kube-apiserver.yaml]: {path} {message}"
        )


def write_server(declared: ServerConfiguration, endpoint: str) -> None:
    """Write CA, administrator kubeconfigs and manifests."""
    missing = [path for path in MOUNTED.findall(declared.text) if not os.path.exists(path)]
    if missing:
        raise ApiRefusedError(
            "error execution phase wait-control-plane: failed while waiting for the control plane to start: kube-apiserver check failed at "
            f"https://{declared.address}:6443/livez: no such file {', '.join(missing)}"
        )
    parts.write(f"{FOLDER}/pki/ca.crt", read(AUTHORITY))
    identity = base64.b64encode(read(ADMIN).encode()).decode()
    authority = base64.b64encode(read(AUTHORITY).encode()).decode()
    for name in ("admin.conf", "super-admin.conf"):
        parts.write(f"{FOLDER}/{name}", _administrator(endpoint, authority, identity), 0o600)
    write_manifests(declared)


def write_manifests(declared: ServerConfiguration) -> None:
    """Write the manifest of a static pod for each component; here etcd has the release of Kubernetes."""
    for name in COMPONENTS:
        more = declared.arguments() if name == "kube-apiserver" else []
        command = "".join(f"    - {word}\n" for word in (name, *more))
        text = (
            f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: {name}\n  namespace: kube-system\nspec:\n  containers:\n  - command:\n{command}"
            f"    image: {declared.registry}/{name}:{declared.release}\n    name: {name}\n"
        )
        parts.write(f"{FOLDER}/manifests/{name}.yaml", text, 0o600)


def mark(endpoint: str, name: str) -> None:
    """Set the label that lists servers, once the kubelet has registered the node."""
    patch = {"metadata": {"labels": {"node-role.kubernetes.io/control-plane": ""}}}
    deadline = time.monotonic() + SIGNING_SECONDS
    while True:
        try:
            api(endpoint, "PATCH", f"/api/v1/nodes/{name}", patch, cluster.STRATEGIC)
        except ApiRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(LOOK_SECONDS)
        else:
            return


def create_token(endpoint: str) -> str:
    """A bootstrap token that nodes can join with from now on."""
    name, secret = ("".join(secrets.choice(ALPHABET) for _ in range(length)) for length in (6, 16))
    data = {
        "token-id": name, "token-secret": secret, "usage-bootstrap-authentication": "true",
        "usage-bootstrap-signing": "true", "auth-extra-groups": JOINING,
    }  # fmt: skip
    meta = {"name": f"bootstrap-token-{name}"}
    body = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": meta,
        "type": "bootstrap.kubernetes.io/token",
        "stringData": data,
    }
    api(endpoint, "POST", SECRETS, body)
    deadline, path = time.monotonic() + SIGNING_SECONDS, "/api/v1/namespaces/kube-public/configmaps/cluster-info"
    while f"jws-kubeconfig-{name}" not in api(endpoint, "GET", path)["data"] and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
    return f"{name}.{secret}"


def delete_token(name: str) -> None:
    """Delete a bootstrap token: no node can join with it any more."""
    api(endpoint(), "DELETE", f"{SECRETS}/bootstrap-token-{name}")
    print(f'bootstrap token "{name}" deleted')


def upload(declared: ServerConfiguration) -> None:
    """Store a hash of the certificate key, in place of the certificates that kubeadm encrypts with it."""
    with contextlib.suppress(ApiRefusedError):
        api(endpoint(), "DELETE", f"{SECRETS}/kubeadm-certs")
    body = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "kubeadm-certs"},
        "stringData": {"key": _hash(declared.key)},
    }
    api(endpoint(), "POST", SECRETS, body)
    print('[upload-certs] Storing the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace')


def download(endpoint: str, key: str) -> None:
    """ApiRefusedError unless `key` is the one that the certificates were uploaded with."""
    stored = api(endpoint, "GET", f"{SECRETS}/kubeadm-certs")
    if base64.b64decode(stored["data"]["key"]).decode() != _hash(key):
        raise ApiRefusedError(
            "error execution phase control-plane-prepare/download-certs: error downloading certs: cipher: message authentication failed"
        )


def upgrade(words: list[str]) -> str:
    """Write the manifests of the release of the kubeadm package, at most one minor version up; returns the release."""
    installed, declared = parts.release("kubeadm"), ServerConfiguration(f"{FOLDER}/rackwright/kubeadm.yaml")
    version = words[1].removeprefix("v") if words[:1] == ["apply"] else installed
    running = re.search(r"/kube-apiserver:v([0-9.]+)", read(f"{FOLDER}/manifests/kube-apiserver.yaml"))
    before = int(running[1].split(".")[1]) if running else 0
    if not before <= int(version.split(".")[1]) <= before + 1 or version != installed:
        raise ApiRefusedError(
            f'[upgrade/version] FATAL: the --version argument is invalid due to these fatal errors: - Specified version to upgrade to "v{version}" is '
            f"too high or not that of kubeadm (v{installed})"
        )
    declared.release = f"v{version}"
    write_manifests(declared)
    return version


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _administrator(endpoint: str, authority: str, identity: str) -> str:
    return (
        f"apiVersion: v1\nclusters:\n- cluster:\n    certificate-authority-data: {authority}\n    server: https://{endpoint}\n  name: kubernetes\n"
        "contexts:\n- context:\n    cluster: kubernetes\n    user: kubernetes-admin\n  name: kubernetes-admin@kubernetes\n"
        "current-context: kubernetes-admin@kubernetes\nkind: Config\nusers:\n- name: kubernetes-admin\n  user:\n"
        f"    client-certificate-data: {identity}\n    client-key-data: {identity}\n"
    )
