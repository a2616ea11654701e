#!/usr/bin/python
"""Ansible module: replaces the key that signs tokens of service accounts; the old one stays trusted until that is ended.

Public keys of all numbers are in one file, which an API server reads as several keys; the word before a key is its number. A private key passes from
server to server only. Each step follows from the state of a server, so that a killed play continues where it stopped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re

from ansible.module_utils import rackwright_kubernetes as kubernetes
from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: kubernetes_signing_key
short_description: Rotate the key that signs Kubernetes service account tokens
options:
  act:
    description: >-
      look (what is to be done), make (a new key, on the first server), know (trust it too), agree (every server has done the step), use (sign with
      it), reissue (tokens that secrets hold), forget (keys that are ended).
    type: str
    required: true
    choices: [look, make, know, agree, use, reissue, forget]
  number: {description: Number of the key that is declared., type: int, required: true}
  ended: {description: Keys up to this number are no longer trusted; 0 for none., type: int, default: 0}
  step: {description: What every server has done., type: str, default: ""}
  key: {description: The new private key., type: str, default: ""}
  address: {description: In-band address of the server., type: str, default: ""}
  port: {description: Port of the API server., type: str, default: ""}
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
author: rackwright
"""

EXAMPLES = r"""
- name: See which keys sign and verify tokens
  kubernetes_signing_key: {act: look, number: 2}
"""

RETURN = r"""
due: {description: Whether this server has other keys than the declared ones., returned: look, type: bool}
known: {description: Whether every server trusts the new key., returned: look, type: bool}
ending: {description: Whether every server signs with a key that stays., returned: look, type: bool}
key: {description: The new private key., returned: make, type: str}
"""

PUBLIC, PRIVATE, NEXT = "pki/sa.pub", "pki/sa.key", "pki/sa.next.key"
ENTRY = re.compile(r"(?:^key([0-9]+)\n)?(-----BEGIN PUBLIC KEY-----\n[^-]+-----END PUBLIC KEY-----)", re.MULTILINE)
"""A key and the word before it; that of kubeadm has none, and number 1. Readers of PEM pass over such words (RFC 7468, 2)."""
LOADED, KNOWN, ENDING = "signing-keys.sha256", "signing-key-known", "signing-key-ending"
"""Digest of the keys that the programs of this host run with; number of the key that every server trusts; number up to which keys end."""
READERS = ("kube-apiserver", "kube-controller-manager")


def main():
    """Carry out one act."""
    kubernetes.carry_out(
        AnsibleModule,
        (look, make, know, agree, use, reissue, forget),
        ended={"type": "int", "default": 0},
        step={"type": "str", "default": "", "choices": ["", KNOWN, ENDING]},
        key={"type": "str", "default": "", "no_log": True},
    )


def look(module):
    """Return the state of this server; fail if its keys cannot reach the declared numbers."""
    number, ended, keys = module.params["number"], module.params["ended"], _trusted()
    signing = _signing(module, keys) if keys else 0
    newest = max(keys, default=0)
    if newest > number:
        module.fail_json(
            msg=f"tokens are verified by key {newest} already, and keys never go back (declared {number}); "
            f"declare kubernetes_control_plane_signing_key: {newest} or a higher number"
        )
    if keys and not signing and number > 1:
        module.fail_json(
            msg=f"{kubernetes.FOLDER / PRIVATE} belongs to no key of {kubernetes.FOLDER / PUBLIC}, so its keys are left alone; rotate them by hand, "
            "or take kubernetes_control_plane_signing_key out of the site"
        )
    if keys and 0 < ended >= signing:
        module.fail_json(
            msg=f"this server signs tokens with key {signing}, which kubernetes_control_plane_signing_keys_ended: {ended} would end; "
            f"onboard all servers with a higher kubernetes_control_plane_signing_key first, and end the old key in a later run"
        )
    required = {key for key in (*keys, number) if key > ended}
    due = bool(keys) and number > 1 and (set(keys) != required or signing != number)
    after = f"tokens are signed with key {number}, and verified by {_words(required)}\n"
    diff = kubernetes.diff(module, after, f"tokens are signed with key {signing}, and verified by {_words(keys)}\n")
    trusted_by_all, ending = (
        kubernetes.stored(KNOWN) == str(number),
        ended > 0 and kubernetes.stored(ENDING) == str(ended),
    )
    module.exit_json(
        changed=due and module.check_mode, due=due, known=trusted_by_all, ending=ending, diff=diff if due else {}
    )


def make(module):
    """Make a new key, unless an earlier play did; this server trusts it."""
    keys, number, path = _trusted(), module.params["number"], kubernetes.FOLDER / NEXT
    if number in keys:
        place = path if path.exists() else kubernetes.FOLDER / PRIVATE
        if _public(module, place) != keys[number]:
            module.fail_json(
                msg=f"the private part of key {number} is not on this server any more; declare key {number + 1}"
            )
        module.exit_json(changed=_bring(module, keys), key=place.read_text(encoding="utf-8"))
    words = ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]  # as kubeadm makes it
    private = f"key{number}\n{kubernetes.run(module, 'get', words)}"
    kubernetes.write(path, private)
    _bring(module, {number: _public(module, path), **keys})
    module.exit_json(changed=True, key=private)


def know(module):
    """Trust the new key on this server as well; it still signs with the former one."""
    keys, number, path = _trusted(), module.params["number"], kubernetes.FOLDER / NEXT
    if number not in keys:
        if not module.params["key"]:
            module.fail_json(msg=f"the first server handed no key {number} to this one; onboard all servers together")
        kubernetes.write(path, module.params["key"])
        keys = {number: _public(module, path), **keys}
    module.exit_json(changed=_bring(module, keys))


def agree(module):
    """Record that every server has done the step: this server can now continue by itself."""
    step = module.params["step"]
    text = str(module.params["number" if step == KNOWN else "ended"])
    changed = kubernetes.stored(step) != text
    kubernetes.store(step, text)
    module.exit_json(changed=changed)


def use(module):
    """Sign with the new key from now on, never before every server trusts it."""
    keys, number, path = _trusted(), module.params["number"], kubernetes.FOLDER / NEXT
    if kubernetes.stored(KNOWN) != str(number) or number not in keys:
        module.exit_json(changed=False)
    if _signing(module, keys) != number:
        path.replace(kubernetes.FOLDER / PRIVATE)
    module.exit_json(changed=_bring(module, keys))


def reissue(module):
    """Replace tokens in secrets that were signed with an ending key: the controller makes new ones, and the old ones become invalid."""
    number = module.params["number"]
    staying = {_key_id(text) for key, text in _trusted().items() if key > module.params["ended"]}
    words = (
        "get",
        "secrets",
        "--all-namespaces",
        "--field-selector=type=kubernetes.io/service-account-token",
        "--output=json",
    )
    listed = json.loads(kubernetes.run(module, "get", kubernetes.kubectl(*words)))["items"]
    old = [entry["metadata"] for entry in listed if _signed_by(entry) not in {*staying, ""}]
    for metadata in old:
        patch = ("--type=json", '--patch=[{"op": "remove", "path": "/data/token"}]')
        secret = (f"--namespace={metadata['namespace']}", "patch", "secret", metadata["name"])
        kubernetes.run(module, "get", kubernetes.kubectl(*secret, *patch))
    names = [f"{metadata['namespace']}/{metadata['name']}" for metadata in old]
    module.exit_json(changed=bool(names), msg=f"new tokens, signed with key {number}: {', '.join(names) or 'none'}")


def forget(module):
    """Remove ended keys, never before every server signs with a remaining one."""
    keys, ended = _trusted(), module.params["ended"]
    if not ended or kubernetes.stored(ENDING) != str(ended):
        module.exit_json(changed=False)
    module.exit_json(changed=_bring(module, {number: text for number, text in keys.items() if number > ended}))


def _trusted():
    """Number -> public key, in the order of the file."""
    path = kubernetes.FOLDER / PUBLIC
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {int(match[1] or 1): f"{match[2]}\n" for match in ENTRY.finditer(text)}


def _signing(module, keys):
    """Number of the key that this server signs with; 0 if it is not among the trusted ones."""
    public = _public(module, kubernetes.FOLDER / PRIVATE)
    return next((number for number, text in keys.items() if text == public), 0)


def _public(module, path):
    return kubernetes.run(module, "get", ["openssl", "pkey", "-in", str(path), "-pubout"])


def _key_id(public):
    """Id of a key in tokens: the digest of its DER form (k8s.io/kubernetes v1.34.2, pkg/serviceaccount/jwt.go, keyIDFromPublicKey)."""
    body = "".join(public.split("\n")[1:-2])
    return base64.urlsafe_b64encode(hashlib.sha256(base64.b64decode(body)).digest()).rstrip(b"=").decode()


def _signed_by(secret):
    """Id of the key that signed the token of a secret; empty for a secret without a token."""
    token = base64.b64decode((secret.get("data") or {}).get("token", "")).decode()
    head = token.partition(".")[0]
    return json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))["kid"] if head else ""


def _bring(module, keys):
    """Write `keys` and restart the programs that read them, unless they had these already; returns whether it did."""
    text = "".join(public if number == 1 else f"key{number}\n{public}" for number, public in keys.items())
    private = (kubernetes.FOLDER / PRIVATE).read_text(encoding="utf-8")
    digest = hashlib.sha256((text + private).encode()).hexdigest()
    if text == (kubernetes.FOLDER / PUBLIC).read_text(encoding="utf-8") and kubernetes.stored(LOADED) == digest:
        return False
    kubernetes.require_ready(module)
    kubernetes.write(kubernetes.FOLDER / PUBLIC, text)
    kubernetes.start_anew(module, READERS)
    kubernetes.store(LOADED, digest)
    return True


def _words(numbers):
    return " and ".join(f"key {number}" for number in sorted(numbers, reverse=True))


if __name__ == "__main__":
    main()
