#!/usr/bin/python
"""Ansible module: a server of a Kubernetes control plane founds a cluster, lets others in, joins, and is upgraded, by kubeadm.

It is cut here because keys and tokens may lie on a host only while kubeadm runs, and because an upgrade has to wait for the other servers.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import secrets
from pathlib import Path

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

FOLDER = Path("/etc/kubernetes")
RUN = Path("/run/rackwright-kubernetes")
DECLARED, ENCRYPTION, ADMIN = "rackwright/kubeadm.yaml", "encryption/config.yaml", "admin.conf"
SERVER = "manifests/kube-apiserver.yaml"
APPLIED = Path("/var/lib/rackwright/kubeadm.sha256")
"""Digest of the configuration that the manifests of this server follow from, as sha256sum writes it."""
EXTERNAL = ("pki/etcd/ca.crt", "pki/apiserver-etcd-client.crt", "pki/apiserver-etcd-client.key")
SECONDS = {"init": 900, "join": 900, "upgrade": 1800, "token": 60, "get": 60}
"""How long a command of kubeadm and kubectl may take: images are pulled in the first three."""
TOKEN = re.compile(
    r"--token ([a-z0-9]{6}\.[a-z0-9]{16}) .*--discovery-token-ca-cert-hash (sha256:[0-9a-f]{64})", re.DOTALL
)
KEY_BYTES = 32
SPEC = {
    "act": {"type": "str", "required": True, "choices": ["found", "let-in", "join", "shut", "upgrade"]},
    "external_etcd": {"type": "bool", "default": False},
    "first": {"type": "bool", "default": False},
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
    """The first server: a cluster of its own, with a new key for secrets."""
    if (FOLDER / SERVER).exists():
        module.exit_json(changed=False)
    _require_external_etcd(module)
    if not module.check_mode:
        if not (FOLDER / ENCRYPTION).exists():
            _write(FOLDER / ENCRYPTION, encryption_configuration())
        command = ["kubeadm", "init", "--config", str(FOLDER / DECLARED), "--skip-token-print"]
        _run(module, "init", command)
        _note_applied()
    module.exit_json(changed=True, diff=_diff(module, "this server founds the cluster\n"))


def let_in(module):
    """What other servers join with: a token of one hour, certificates in the cluster under a key that is nowhere else, the key for secrets."""
    key = secrets.token_hex(KEY_BYTES)
    text = (FOLDER / DECLARED).read_text(encoding="utf-8")
    init = "kind: InitConfiguration\n"
    with _Private("upload.yaml", text.replace(init, f"{init}certificateKey: {key}\n", 1)) as path:
        _run(
            module,
            "init",
            [
                "kubeadm",
                "init",
                "phase",
                "upload-certs",
                "--upload-certs",
                "--config",
                path,
                "--skip-certificate-key-print",
            ],
        )
    printed = _run(module, "token", ["kubeadm", "token", "create", "--ttl", "1h", "--print-join-command"])
    match = TOKEN.search(printed)
    if match is None:
        module.fail_json(msg="kubeadm token create printed no token; run it on this server and look")
    encryption = (FOLDER / ENCRYPTION).read_text(encoding="utf-8")
    module.exit_json(changed=True, token=match[1], ca_sha256=match[2], certificate_key=key, encryption=encryption)


def join(module):
    """A further server."""
    params = module.params
    if (FOLDER / SERVER).exists():
        module.exit_json(changed=False)
    _require_external_etcd(module)
    if not module.check_mode:
        if not params["token"]:
            module.fail_json(
                msg=f"{params['name']} has not joined, and {params['founder']}, which would let it in, is not part of this play or failed; "
                f"onboard both together"
            )
        _write(FOLDER / ENCRYPTION, params["encryption"])
        with _Private("join.json", json.dumps(join_configuration(params))) as path:
            _run(module, "join", ["kubeadm", "join", "--config", path])
        _note_applied()
    module.exit_json(
        changed=True, diff=_diff(module, f"{params['name']} joins the control plane at {params['endpoint']}\n")
    )


def shut(module):
    """The token is of no use from now on."""
    _run(module, "token", ["kubeadm", "token", "delete", module.params["token"].partition(".")[0]])
    module.exit_json(changed=False)


def upgrade(module):
    """To the declared release, then to the declared configuration; never while another server is not ready."""
    text = (FOLDER / SERVER).read_text(encoding="utf-8") if (FOLDER / SERVER).exists() else ""
    match = re.search(r"/kube-apiserver:v([0-9.]+)", text)
    version, first = module.params["version"], module.params["first"]
    if match is None or (match[1] == version and _applied() == _digest()):
        module.exit_json(changed=False)
    after = f"control plane {version}\n" if match[1] != version else "control plane with the declared configuration\n"
    diff = _diff(module, after, f"control plane {match[1]}\n")
    if module.check_mode:
        module.exit_json(changed=True, diff=diff)
    _require_ready(module)
    if match[1] != version:
        words = ["apply", f"v{version}", "--yes"] if first else ["node"]
        _run(module, "upgrade", ["kubeadm", "upgrade", *words])
    if _applied() != _digest():
        if first:
            _run(
                module,
                "init",
                ["kubeadm", "init", "phase", "upload-config", "kubeadm", "--config", str(FOLDER / DECLARED)],
            )
        _run(module, "init", ["kubeadm", "init", "phase", "control-plane", "all", "--config", str(FOLDER / DECLARED)])
    _require_ready(module)
    _note_applied()
    module.exit_json(changed=True, diff=diff)


def encryption_configuration():
    """A new key for secrets. Source: Kubernetes documentation, encrypting confidential data at rest: secretbox, 32 random bytes."""
    key = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
    return (
        "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n"
        f"  - secretbox: {{keys: [{{name: key1, secret: {key}}}]}}\n  - identity: {{}}\n"
    )


def join_configuration(params):
    """A JoinConfiguration (kubeadm.k8s.io/v1beta4) of a server."""
    port = int(params["endpoint"].rpartition(":")[2])
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
            "localAPIEndpoint": {"advertiseAddress": params["address"], "bindPort": port},
            "certificateKey": params["certificate_key"],
        },
        "nodeRegistration": {
            "name": params["name"],
            "criSocket": "unix:///run/containerd/containerd.sock",
            "kubeletExtraArgs": [{"name": "node-ip", "value": params["address"]}],
        },
    }


def _require_external_etcd(module):
    missing = [str(FOLDER / name) for name in EXTERNAL if not (FOLDER / name).exists()]
    if module.params["external_etcd"] and missing:
        module.fail_json(
            msg=f"etcd is elsewhere, and this server has no {', '.join(missing)}; copy the CA of etcd and a client certificate there"
        )


def _require_ready(module):
    """Every server of the control plane is ready, or the act ends here: a cluster survives the loss of one server, not of two."""
    kubectl = ["kubectl", f"--kubeconfig={FOLDER / ADMIN}", "get"]
    _run(module, "get", [*kubectl, "--raw=/readyz"])
    rows = '{range .items[*]}{.metadata.name}{" "}{.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}'
    listed = _run(
        module,
        "get",
        [*kubectl, "nodes", "--selector=node-role.kubernetes.io/control-plane", f"--output=jsonpath={rows}"],
    )
    away = [line.split()[0] for line in listed.splitlines() if line.strip() and not line.endswith(" True")]
    if away:
        module.fail_json(
            msg=f"{', '.join(away)} of the control plane is not ready, so this server is left as it is; bring it back first"
        )


def _run(module, what, command):
    """What the command printed; the reason of kubeadm where it fails."""
    code, out, err = module.run_command(["timeout", "--kill-after=10", str(SECONDS[what]), *command])
    if code:
        words = [
            line.strip()
            for line in (err or out).splitlines()
            if line.strip() and not line.startswith("To see the stack")
        ]
        module.fail_json(msg=f"{' '.join(command[:3])} ended with {code}: {' | '.join(words[-3:])}")
    return out


class _Private:
    """A file for root alone that exists while a program reads it."""

    def __init__(self, name, text):
        self._path, self._text = RUN / name, text

    def __enter__(self):
        RUN.mkdir(mode=0o700, exist_ok=True)
        self._path.unlink(missing_ok=True)
        _write(self._path, self._text)
        return str(self._path)

    def __exit__(self, *_):
        self._path.unlink(missing_ok=True)


def _write(path, text):
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(f"{path}.new").replace(path)


def _digest():
    return hashlib.sha256((FOLDER / DECLARED).read_bytes()).hexdigest()


def _applied():
    return APPLIED.read_text(encoding="utf-8").partition(" ")[0] if APPLIED.exists() else ""


def _note_applied():
    APPLIED.parent.mkdir(parents=True, exist_ok=True)
    APPLIED.write_text(f"{_digest()}  {FOLDER / DECLARED}\n", encoding="utf-8")


def _diff(module, after, before=""):
    return {"before": before, "after": after} if module._diff else {}


if __name__ == "__main__":
    main()
