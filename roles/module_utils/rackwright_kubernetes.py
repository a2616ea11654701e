"""Shared by the modules that work on a server of a Kubernetes control plane: its files, its commands, and the tests before and after a restart."""

from __future__ import annotations

import base64
import os
import secrets
import time
from pathlib import Path

FOLDER = Path("/etc/kubernetes")
STATE = Path("/var/lib/rackwright")
"""Folder of notes about the rotation of a key, which outlive a killed play."""
ENCRYPTION, ADMIN = "encryption/config.yaml", "admin.conf"
SECONDS = {
    "init": 900,
    "join": 900,
    "upgrade": 1800,
    "token": 60,
    "get": 60,
    "stop": 120,
    "ready": 300,
    "replace": 1800,
}
"""How long commands of kubeadm, kubectl and crictl may take, and an API server that starts: images are pulled in the first three."""
LOOK_SECONDS = 1
KEY_BYTES = 32


def run(module, what, command):
    """Output of the command; the module fails with the last lines of its error if it fails."""
    code, out, err = module.run_command(["timeout", "--kill-after=10", str(SECONDS[what]), *command])
    if code:
        words = [
            line.strip()
            for line in (err or out).splitlines()
            if line.strip() and not line.startswith("To see the stack")
        ]
        module.fail_json(msg=f"{' '.join(command[:3])} ended with {code}: {' | '.join(words[-3:])}")
    return out


def kubectl(*words):
    """A kubectl command with the rights of the administrator."""
    return ["kubectl", f"--kubeconfig={FOLDER / ADMIN}", *words]


def require_ready(module):
    """Fail unless every server of the control plane is ready: a cluster survives the loss of one server, not of two."""
    run(module, "get", kubectl("get", "--raw=/readyz"))
    rows = '{range .items[*]}{.metadata.name}{" "}{.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}'
    nodes = ("get", "nodes", "--selector=node-role.kubernetes.io/control-plane", f"--output=jsonpath={rows}")
    listed = run(module, "get", kubectl(*nodes))
    away = [line.split()[0] for line in listed.splitlines() if line.strip() and not line.endswith(" True")]
    if away:
        module.fail_json(
            msg=f"{', '.join(away)} of the control plane is not ready, so this server is left as it is; bring it back first"
        )


def containers(module, name):
    """Ids of the running containers of a component."""
    return set(run(module, "get", ["crictl", "ps", "--quiet", "--state", "Running", "--name", f"^{name}$"]).split())


def wait_ready(module, address, port, replaced=None):
    """Wait until the API server of this server answers, and the containers in `replaced` (by component) have been replaced. Fails after the time limit."""
    deadline, why = time.monotonic() + SECONDS["ready"], ""
    while time.monotonic() < deadline:
        late = [name for name, before in (replaced or {}).items() if not containers(module, name) - before]
        if late:
            why = f"{', '.join(late)} has not started anew"
        else:
            words = [
                "timeout",
                str(SECONDS["get"]),
                *kubectl(f"--server=https://{address}:{port}", "get", "--raw=/readyz"),
            ]
            code, out, err = module.run_command(words)
            if not code and out.strip() == "ok":
                return
            why = ((err or out).strip().splitlines() or ["it printed nothing"])[-1]
        time.sleep(LOOK_SECONDS)
    module.fail_json(
        msg=f"the API server of this server does not answer after {SECONDS['ready']} s: {why}; see crictl ps --all and journalctl -u kubelet"
    )


def start_anew(module, components):
    """Stop the containers of components of this server, which the kubelet starts again; returns when the API server answers."""
    before = {name: containers(module, name) for name in components}
    for container in sorted(set().union(*before.values())):
        run(module, "stop", ["crictl", "stop", "--timeout", "60", container])
    wait_ready(module, module.params["address"], module.params["port"], before)


def carry_out(module_class, acts, **options):
    """Entry point of the modules that rotate a key: run the requested one of `acts`, by the name of its function; `options` are extra arguments."""
    names = {act.__name__: act for act in acts}
    spec = {
        "act": {"type": "str", "required": True, "choices": list(names)},
        "number": {"type": "int", "required": True},
        "address": {"type": "str", "default": ""},
        "port": {"type": "str", "default": ""},
    }
    module = module_class(argument_spec={**spec, **options}, supports_check_mode=True)
    names[module.params["act"]](module)


def stored(name):
    """The text stored under a name; empty without one."""
    path = STATE / name
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def store(name, text):
    """Store a text under a name."""
    write(STATE / name, f"{text}\n")


def new_key():
    """A key for secrets: 32 random bytes, in base64."""
    return base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def encryption_configuration(keys):
    """Configuration with `keys` by name: the first encrypts, all decrypt. Source: Kubernetes documentation, encrypting confidential data at rest:
    secretbox.
    """
    listed = ", ".join(f"{{name: {name}, secret: {secret}}}" for name, secret in keys.items())
    return (
        "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n"
        f"  - secretbox: {{keys: [{listed}]}}\n  - identity: {{}}\n"
    )


def write(path, text):
    """Write a file readable by root alone, in one step."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(f"{path}.new").replace(path)


def diff(module, after, before=""):
    """The difference that a play with --diff prints."""
    return {"before": before, "after": after} if module._diff else {}
