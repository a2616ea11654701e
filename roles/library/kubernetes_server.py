#!/usr/bin/python
"""Ansible module: founds, extends and upgrades the servers of a Kubernetes control plane with kubeadm.

A module, because keys and tokens may be on a host only while kubeadm runs, and because an upgrade has to wait for the other servers.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from pathlib import Path

from ansible.module_utils import rackwright_kubernetes as kubernetes
from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: kubernetes_server
short_description: Found, join and upgrade a Kubernetes control plane
options:
  act:
    description: found, let-in (returns what others join with), join, shut (takes the token back), upgrade.
    type: str
    required: true
    choices: [found, let-in, join, shut, upgrade]
  version: {description: Full version of the control plane., type: str, default: ""}
  external_etcd: {description: Whether etcd is elsewhere., type: bool, default: false}
  first: {description: Whether this is the server that founded the cluster., type: bool, default: false}
  key_number: {description: Number in the name of the key for secrets., type: int, default: 1}
  founder: {description: Name of the server that founded the cluster., type: str, default: ""}
  endpoint: {description: Address and port of the API server., type: str, default: ""}
  name: {description: Name of the server., type: str, default: ""}
  address: {description: In-band address of the server., type: str, default: ""}
  token: {description: Bootstrap token., type: str, default: ""}
  ca_sha256: {description: SHA-256 of the public key of the CA., type: str, default: ""}
  certificate_key: {description: Key of the uploaded certificates., type: str, default: ""}
  encryption: {description: EncryptionConfiguration that all servers have., type: str, default: ""}
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
author: rackwright
"""

EXAMPLES = r"""
- name: Found the cluster
  kubernetes_server: {act: found, version: 1.34.2}
"""

RETURN = r"""
token: {description: Bootstrap token of one hour., returned: let-in, type: str}
ca_sha256: {description: SHA-256 of the public key of the CA., returned: let-in, type: str}
certificate_key: {description: Key of the uploaded certificates., returned: let-in, type: str}
encryption: {description: EncryptionConfiguration., returned: let-in, type: str}
"""

RUN = Path("/run/rackwright-kubernetes")
DECLARED = "rackwright/kubeadm.yaml"
SERVER = "manifests/kube-apiserver.yaml"
COMPONENTS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler")
APPLIED = Path("/var/lib/rackwright/kubeadm.sha256")
"""Digest of the configuration that the manifests of this server follow from, as sha256sum writes it."""
EXTERNAL = ("pki/etcd/ca.crt", "pki/apiserver-etcd-client.crt", "pki/apiserver-etcd-client.key")
TOKEN = re.compile(
    r"--token ([a-z0-9]{6}\.[a-z0-9]{16}) .*--discovery-token-ca-cert-hash (sha256:[0-9a-f]{64})", re.DOTALL
)
SPEC = {
    "act": {"type": "str", "required": True, "choices": ["found", "let-in", "join", "shut", "upgrade"]},
    "external_etcd": {"type": "bool", "default": False},
    "first": {"type": "bool", "default": False},
    "key_number": {"type": "int", "default": 1, "no_log": False},
    **{
        name: {"type": "str", "default": ""}
        for name in ("version", "endpoint", "name", "address", "ca_sha256", "founder")
    },
    **{name: {"type": "str", "default": "", "no_log": True} for name in ("token", "certificate_key", "encryption")},
}


def main():
    """Carry out one act."""
    module = AnsibleModule(argument_spec=SPEC, supports_check_mode=True)
    acts = {"found": create, "let-in": let_in, "join": join, "shut": shut, "upgrade": upgrade}
    acts[module.params["act"]](module)


def create(module):
    """Found a cluster on the first server, with a new key for secrets."""
    if (kubernetes.FOLDER / SERVER).exists():
        module.exit_json(changed=False)
    _require_external_etcd(module)
    if not module.check_mode:
        if not (kubernetes.FOLDER / kubernetes.ENCRYPTION).exists():
            keys = {f"key{module.params['key_number']}": kubernetes.new_key()}
            kubernetes.write(kubernetes.FOLDER / kubernetes.ENCRYPTION, kubernetes.encryption_configuration(keys))
        command = ["kubeadm", "init", "--config", str(kubernetes.FOLDER / DECLARED), "--skip-token-print"]
        kubernetes.run(module, "init", command)
        _note_applied()
    module.exit_json(changed=True, diff=kubernetes.diff(module, "this server founds the cluster\n"))


def let_in(module):
    """Return what other servers need to join: a token for one hour, the key to the certificates uploaded to the cluster, the key for secrets."""
    key = secrets.token_hex(kubernetes.KEY_BYTES)
    text = (kubernetes.FOLDER / DECLARED).read_text(encoding="utf-8")
    init = "kind: InitConfiguration\n"
    with _Private("upload.yaml", text.replace(init, f"{init}certificateKey: {key}\n", 1)) as path:
        words = ("upload-certs", "--upload-certs", "--config", path, "--skip-certificate-key-print")
        kubernetes.run(module, "init", ["kubeadm", "init", "phase", *words])
    printed = kubernetes.run(module, "token", ["kubeadm", "token", "create", "--ttl", "1h", "--print-join-command"])
    match = TOKEN.search(printed)
    if match is None:
        module.fail_json(msg="kubeadm token create printed no token; run it on this server and look")
    encryption = (kubernetes.FOLDER / kubernetes.ENCRYPTION).read_text(encoding="utf-8")
    module.exit_json(changed=True, token=match[1], ca_sha256=match[2], certificate_key=key, encryption=encryption)


def join(module):
    """Join a further server."""
    params = module.params
    if (kubernetes.FOLDER / SERVER).exists():
        module.exit_json(changed=False)
    _require_external_etcd(module)
    if not module.check_mode:
        if not params["token"]:
            module.fail_json(
                msg=f"{params['name']} has not joined, and {params['founder']}, which would let it in, is not part of this play or failed; "
                f"onboard both together"
            )
        kubernetes.write(kubernetes.FOLDER / kubernetes.ENCRYPTION, params["encryption"])
        with _Private("join.json", json.dumps(join_configuration(params))) as path:
            kubernetes.run(module, "join", ["kubeadm", "join", "--config", path])
        _note_applied()
    module.exit_json(
        changed=True,
        diff=kubernetes.diff(module, f"{params['name']} joins the control plane at {params['endpoint']}\n"),
    )


def shut(module):
    """Delete the token."""
    kubernetes.run(module, "token", ["kubeadm", "token", "delete", module.params["token"].partition(".")[0]])
    module.exit_json(changed=False)


def upgrade(module):
    """Upgrade to the declared release, then to the declared configuration; never while another server is not ready."""
    text = (kubernetes.FOLDER / SERVER).read_text(encoding="utf-8") if (kubernetes.FOLDER / SERVER).exists() else ""
    match = re.search(r"/kube-apiserver:v([0-9.]+)", text)
    version, first = module.params["version"], module.params["first"]
    if match is None or (match[1] == version and _applied() == _digest()):
        module.exit_json(changed=False)
    after = f"control plane {version}\n" if match[1] != version else "control plane with the declared configuration\n"
    diff = kubernetes.diff(module, after, f"control plane {match[1]}\n")
    if module.check_mode:
        module.exit_json(changed=True, diff=diff)
    kubernetes.require_ready(module)
    if match[1] != version:
        words = ["apply", f"v{version}", "--yes"] if first else ["node"]
        kubernetes.run(module, "upgrade", ["kubeadm", "upgrade", *words])
    if _applied() != _digest():
        _apply_configuration(module)
    kubernetes.wait_ready(module, module.params["address"], _port(module.params))
    kubernetes.require_ready(module)
    _note_applied()
    module.exit_json(changed=True, diff=diff)


def _apply_configuration(module):
    """Write the manifests of the declared configuration, and wait until the kubelet has restarted the changed components."""
    config = ["--config", str(kubernetes.FOLDER / DECLARED)]
    if module.params["first"]:
        kubernetes.run(module, "init", ["kubeadm", "init", "phase", "upload-config", "kubeadm", *config])
    paths = {name: kubernetes.FOLDER / "manifests" / f"{name}.yaml" for name in COMPONENTS}
    before = {name: path.read_bytes() if path.exists() else b"" for name, path in paths.items()}
    running = {name: kubernetes.containers(module, name) for name in COMPONENTS}
    kubernetes.run(module, "init", ["kubeadm", "init", "phase", "control-plane", "all", *config])
    replaced = {
        name: running[name] for name, path in paths.items() if path.exists() and path.read_bytes() != before[name]
    }
    kubernetes.wait_ready(module, module.params["address"], _port(module.params), replaced)


def join_configuration(params):
    """A JoinConfiguration (kubeadm.k8s.io/v1beta4) of a server."""
    bootstrap = {
        "apiServerEndpoint": params["endpoint"],
        "token": params["token"],
        "caCertHashes": [params["ca_sha256"]],
    }
    return {
        "apiVersion": "kubeadm.k8s.io/v1beta4",
        "kind": "JoinConfiguration",
        "discovery": {"bootstrapToken": bootstrap, "tlsBootstrapToken": params["token"]},
        "controlPlane": {
            "localAPIEndpoint": {"advertiseAddress": params["address"], "bindPort": int(_port(params))},
            "certificateKey": params["certificate_key"],
        },
        "nodeRegistration": {
            "name": params["name"],
            "criSocket": "unix:///run/containerd/containerd.sock",
            "kubeletExtraArgs": [{"name": "node-ip", "value": params["address"]}],
        },
    }


def _require_external_etcd(module):
    missing = [str(kubernetes.FOLDER / name) for name in EXTERNAL if not (kubernetes.FOLDER / name).exists()]
    if module.params["external_etcd"] and missing:
        module.fail_json(
            msg=f"etcd is elsewhere, and this server has no {', '.join(missing)}; copy the CA of etcd and a client certificate there"
        )


class _Private:
    """A file readable by root alone that exists only while a program reads it."""

    def __init__(self, name, text):
        self._path, self._text = RUN / name, text

    def __enter__(self):
        RUN.mkdir(mode=0o700, exist_ok=True)
        self._path.unlink(missing_ok=True)
        kubernetes.write(self._path, self._text)
        return str(self._path)

    def __exit__(self, *_):
        self._path.unlink(missing_ok=True)


def _port(params):
    return params["endpoint"].rpartition(":")[2]


def _digest():
    return hashlib.sha256((kubernetes.FOLDER / DECLARED).read_bytes()).hexdigest()


def _applied():
    return APPLIED.read_text(encoding="utf-8").partition(" ")[0] if APPLIED.exists() else ""


def _note_applied():
    APPLIED.parent.mkdir(parents=True, exist_ok=True)
    APPLIED.write_text(f"{_digest()}  {kubernetes.FOLDER / DECLARED}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
