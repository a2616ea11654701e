#!/usr/bin/python
"""Ansible module: joins a node to a Kubernetes cluster, once.

A module, because the token may be on the host only while kubeadm runs: the configuration is written for it alone, readable by root alone, and removed
in any case; a killed run leaves it in /run, where the next run removes it. Remains of an unfinished join are removed first, because kubeadm refuses
to start with them.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: kubeadm_join
short_description: Join a node to a Kubernetes cluster, once
options:
  endpoint:
    description: Address and port of the API server.
    type: str
    required: true
  ca_sha256:
    description: SHA-256 of the public key of the cluster's CA.
    type: str
    required: true
  token:
    description: Bootstrap token; empty is enough for a node that has joined.
    type: str
    default: ""
  name:
    description: Name of the node in the cluster.
    type: str
    required: true
  address:
    description: In-band address of the node.
    type: str
    required: true
  taints:
    description: Taints that the node registers with (key, value, effect).
    type: list
    elements: dict
    default: []
  socket:
    description: Socket of the container runtime.
    type: str
    default: unix:///run/containerd/containerd.sock
  seconds:
    description: How long the join may take.
    type: int
    default: 300
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
author: rackwright
"""

EXAMPLES = r"""
- name: Join the cluster
  kubeadm_join:
    endpoint: 10.0.0.10:6443
    ca_sha256: "{{ ca }}"
    token: "{{ lookup('file', token_file) }}"
    name: train-001
    address: 10.0.1.1
    taints: [{key: rackwright.io/acceptance, value: pending, effect: NoSchedule}]
"""

RETURN = r"""
joined:
  description: Whether the node joined in this run.
  returned: always
  type: bool
"""

JOINED = "/etc/kubernetes/kubelet.conf"
"""The kubelet writes it once the cluster has given it credentials, which is what kubeadm waits for."""
BEGUN = "/var/lib/rackwright/pending/kubeadm_join"
"""Exists while a join of this module has begun and not ended."""
LEFT = ("/etc/kubernetes/bootstrap-kubelet.conf", "/etc/kubernetes/pki/ca.crt")
"""What kubeadm writes before the node has joined, and refuses to find (kubernetes/kubernetes, cmd/kubeadm/app/preflight/checks.go,
RunJoinNodeChecks; 1.34)."""
CONFIGURATION = "/run/rackwright-kubeadm-join.json"
TOKEN = re.compile(r"[a-z0-9]{6}\.[a-z0-9]{16}")
WRONG = {
    "could not find a JWS signature": "the bootstrap token is unknown to the cluster or has expired: "
    "make one with `kubeadm token create`",
    "public key": "another cluster answers at this address, or control.kubernetes.ca_sha256 is wrong",
    "connection refused": "the API server does not answer at control.kubernetes.endpoint",
}


def configuration(params):
    """A JoinConfiguration (kubeadm.k8s.io/v1beta4), which kubeadm reads as JSON as well."""
    digest = params["ca_sha256"] if params["ca_sha256"].startswith("sha256:") else f"sha256:{params['ca_sha256']}"
    bootstrap = {"apiServerEndpoint": params["endpoint"], "token": params["token"], "caCertHashes": [digest]}
    taints = [{key: taint[key] for key in ("key", "value", "effect") if taint.get(key)} for taint in params["taints"]]
    return {
        "apiVersion": "kubeadm.k8s.io/v1beta4",
        "kind": "JoinConfiguration",
        "discovery": {"bootstrapToken": bootstrap, "tlsBootstrapToken": params["token"]},
        "nodeRegistration": {
            "name": params["name"],
            "criSocket": params["socket"],
            "taints": taints,
            "kubeletExtraArgs": [{"name": "node-ip", "value": params["address"]}],
        },
    }


def main():
    """Join unless the node has joined already."""
    module = AnsibleModule(
        argument_spec={
            "endpoint": {"type": "str", "required": True},
            "ca_sha256": {"type": "str", "required": True},
            "token": {"type": "str", "default": "", "no_log": True},
            "name": {"type": "str", "required": True},
            "address": {"type": "str", "required": True},
            "taints": {"type": "list", "elements": "dict", "default": []},
            "socket": {"type": "str", "default": "unix:///run/containerd/containerd.sock"},
            "seconds": {"type": "int", "default": 300},
        },
        supports_check_mode=True,
    )
    params = module.params
    params["token"] = params["token"].strip()
    joined = Path(JOINED).exists()
    if not joined and not module.check_mode:
        _join(module, params)
    elif not module.check_mode:
        Path(CONFIGURATION).unlink(missing_ok=True)
        Path(BEGUN).unlink(missing_ok=True)
    diff = {"before": "", "after": "" if joined else f"{params['name']} joins the cluster at {params['endpoint']}\n"}
    module.exit_json(changed=not joined, joined=not joined, diff=diff if module._diff else {})


def _join(module, params):
    if not TOKEN.fullmatch(params["token"]):
        module.fail_json(
            msg=f"{params['name']} has not joined the cluster at {params['endpoint']}, and there is no bootstrap token to "
            "join with (kubeadm token create; control.kubernetes.token_env names the variable that holds it)"
        )
    if not params["ca_sha256"]:
        module.fail_json(
            msg=f"{params['name']} has not joined the cluster at {params['endpoint']}, and nothing says by which CA it recognises it "
            "(control.kubernetes.ca_sha256; with control.kubernetes.servers it is read from them: onboard them first)"
        )
    path = Path(CONFIGURATION)
    path.unlink(missing_ok=True)
    _clear(module)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(configuration(params), file)
        command = ["timeout", "--kill-after=10", str(params["seconds"]), "kubeadm", "join", "--config", str(path)]
        code, out, err = module.run_command(command)
    finally:
        path.unlink(missing_ok=True)
    if code != 0:
        module.fail_json(msg=f"kubeadm join ended with {code}: {reason(out, err)}")
    if not Path(JOINED).exists():
        module.fail_json(msg=f"kubeadm join ended well and wrote no {JOINED}; see journalctl -u kubelet")
    Path(BEGUN).unlink(missing_ok=True)


def _clear(module):
    """Remove the remains of an interrupted join of this module, its kubelet included; kubeadm refuses existing files."""
    begun = Path(BEGUN)
    if begun.exists():
        module.run_command(["systemctl", "stop", "kubelet"])
        for path in LEFT:
            Path(path).unlink(missing_ok=True)
    elif not any(Path(path).exists() for path in LEFT):
        begun.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        begun.touch()


def reason(out, err):
    """The last lines of kubeadm's output, and what to do about them if that is known."""
    words = [
        line.strip() for line in (err or out).splitlines() if line.strip() and not line.startswith("To see the stack")
    ]
    hints = [hint for sign, hint in WRONG.items() if sign in err + out][:1]
    return " | ".join(words[-3:]) + (f" ({hints[0]})" if hints else "")


if __name__ == "__main__":
    main()
