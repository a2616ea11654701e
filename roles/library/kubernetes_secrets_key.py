#!/usr/bin/python
"""Ansible module: replaces the key with which a control plane encrypts secrets in etcd, step by step.

A key passes from server to server only, and each step follows from the state of a server, so that a killed play continues where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import re

from ansible.module_utils import rackwright_kubernetes as kubernetes
from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: kubernetes_secrets_key
short_description: Rotate the key that encrypts Kubernetes secrets
options:
  act:
    description: >-
      look (what is to be done), make (a new key, on the first server), know (decrypt by it too), use (encrypt by it), rewrite (every secret, once),
      note (that this was done), forget (the old keys).
    type: str
    required: true
    choices: [look, make, know, use, rewrite, note, forget]
  number: {description: Number in the name of the key that is declared., type: int, required: true}
  encryption: {description: EncryptionConfiguration with the new key., type: str, default: ""}
  address: {description: In-band address of the server., type: str, default: ""}
  port: {description: Port of the API server., type: str, default: ""}
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
author: rackwright
"""

EXAMPLES = r"""
- name: See which keys encrypt secrets
  kubernetes_secrets_key: {act: look, number: 2}
"""

RETURN = r"""
due: {description: Whether this server has another key than the declared one., returned: look, type: bool}
rewritten: {description: Whether every secret is encrypted by the declared key., returned: look and rewrite, type: bool}
encryption: {description: EncryptionConfiguration with the new key., returned: make, type: str}
"""

KEY = re.compile(r"\{name: (key[0-9]+), secret: ([A-Za-z0-9+/=]+)\}")
"""As `encryption_configuration` writes it."""
LOADED, REWRITTEN = "encryption.sha256", "secrets-key"
"""Digest of the configuration that the API server of this host runs with; name of the key that every secret is encrypted by."""
REFUSED = re.compile(r"Error from server \((\w+)\)")
WRITTEN_OTHERWISE = {"Conflict", "NotFound"}
"""Harmless reasons why a secret is not replaced: it was written again meanwhile, with the new key, or it was deleted."""


def main():
    """Carry out one act."""
    acts = (look, make, know, use, rewrite, note, forget)
    kubernetes.carry_out(AnsibleModule, acts, encryption={"type": "str", "default": "", "no_log": True})


def look(module):
    """Return the state of this server; fail if its keys are not those of this role, or newer than the declared number."""
    name, keys = _declared(module), _keys()
    if not keys and _path().exists() and module.params["number"] > 1:
        module.fail_json(
            msg=f"{_path()} is not as this role writes it, so its keys are left alone; rotate them by hand (Kubernetes documentation, "
            "encrypting confidential data at rest), or take kubernetes_control_plane_secrets_key out of the site"
        )
    newest = max((int(key.removeprefix("key")) for key in keys), default=0)
    if newest > module.params["number"]:
        module.fail_json(
            msg=f"secrets are encrypted by key{newest} already, and keys never go back (declared {module.params['number']}); "
            f"declare kubernetes_control_plane_secrets_key: {newest} or a higher number"
        )
    due = bool(keys) and list(keys) != [name]
    diff = kubernetes.diff(
        module, f"secrets are encrypted by {name}\n", f"secrets are encrypted by {next(iter(keys), '')}\n"
    )
    module.exit_json(
        changed=due and module.check_mode, due=due, rewritten=_rewritten() == name, diff=diff if due else {}
    )


def make(module):
    """Add a new key beside the others, unless an earlier play did; it decrypts only."""
    keys = _keys()
    with_new = keys if _declared(module) in keys else {**keys, _declared(module): kubernetes.new_key()}
    _bring(module, with_new)
    module.exit_json(changed=with_new != keys, encryption=kubernetes.encryption_configuration(with_new))


def know(module):
    """Add the new key of the first server, which decrypts here as well but does not encrypt."""
    keys, name = _keys(), _declared(module)
    handed = dict(KEY.findall(module.params["encryption"]))
    if name not in keys and name not in handed:
        module.fail_json(msg=f"the first server handed no {name} to this one; onboard all servers together")
    module.exit_json(changed=_bring(module, keys if name in keys else {**keys, name: handed[name]}))


def use(module):
    """Encrypt with the new key from now on; the others still decrypt."""
    keys, name = _keys(), _declared(module)
    module.exit_json(changed=_bring(module, {name: keys[name], **keys}))


def rewrite(module):
    """Write every secret again unchanged, which encrypts it with the key in use; contents pass through pipes only."""
    name = _declared(module)
    if _rewritten() == name:
        module.exit_json(changed=False, rewritten=True)
    listed = kubernetes.run(
        module, "replace", kubernetes.kubectl("get", "secrets", "--all-namespaces", "--output=json")
    )
    if json.loads(listed)["items"]:
        words = [
            "timeout",
            str(kubernetes.SECONDS["replace"]),
            *kubernetes.kubectl("replace", "--filename=-", "--output=name"),
        ]
        code, _, err = module.run_command(words, data=listed)
        reasons = set(REFUSED.findall(err))
        if code and (not reasons or reasons - WRITTEN_OTHERWISE):
            why = ", ".join(sorted(reasons - WRITTEN_OTHERWISE)) or f"kubectl replace ended with {code}"
            module.fail_json(
                msg=f"not every secret is encrypted by {name}: {why}; no key is taken away. Onboard all servers again"
            )
    kubernetes.store(REWRITTEN, name)
    module.exit_json(changed=True, rewritten=True)


def note(module):
    """Record that the first server has rewritten every secret: this server can now finish by itself."""
    changed = _rewritten() != _declared(module)
    kubernetes.store(REWRITTEN, _declared(module))
    module.exit_json(changed=changed)


def forget(module):
    """Remove old keys, never before every secret was rewritten."""
    keys, name = _keys(), _declared(module)
    if _rewritten() != name or name not in keys:
        module.exit_json(changed=False)
    module.exit_json(changed=_bring(module, {name: keys[name]}))


def _declared(module):
    return f"key{module.params['number']}"


def _path():
    return kubernetes.FOLDER / kubernetes.ENCRYPTION


def _keys():
    """Name -> secret, in the order of the file; empty without a file."""
    return dict(KEY.findall(_path().read_text(encoding="utf-8"))) if _path().exists() else {}


def _bring(module, keys):
    """Write `keys` and restart the API server of this host if it did not have them in this order; returns whether it did."""
    text = kubernetes.encryption_configuration(keys)
    digest = hashlib.sha256(text.encode()).hexdigest()
    if text == _path().read_text(encoding="utf-8") and kubernetes.stored(LOADED) == digest:
        return False
    kubernetes.require_ready(module)
    kubernetes.write(_path(), text)
    kubernetes.start_anew(module, ["kube-apiserver"])
    kubernetes.store(LOADED, digest)
    return True


def _rewritten():
    return kubernetes.stored(REWRITTEN)


if __name__ == "__main__":
    main()
