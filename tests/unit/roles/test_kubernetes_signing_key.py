"""The module that rotates the key of tokens: what it refuses, and how it goes on; with a real openssl, and other commands answered here."""

from __future__ import annotations

import base64
import json
import subprocess

import pytest

PRIVATE, NEXT, PUBLIC = "kubernetes/pki/sa.key", "kubernetes/pki/sa.next.key", "kubernetes/pki/sa.pub"


@pytest.fixture
def play(host_module, run_module, monkeypatch, tmp_path):
    """``play("know", ...)``: the result, and the commands; `answers` are by the words that a command has."""
    module = host_module("kubernetes_signing_key")
    monkeypatch.setattr(module.kubernetes, "FOLDER", tmp_path / "kubernetes")
    monkeypatch.setattr(module.kubernetes, "LOOK_SECONDS", 0)
    monkeypatch.setattr(module.kubernetes, "STATE", tmp_path / "state")
    (tmp_path / PRIVATE).parent.mkdir(parents=True)
    (tmp_path / PRIVATE).write_text(openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"))
    (tmp_path / PUBLIC).write_text(openssl("pkey", "-in", str(tmp_path / PRIVATE), "-pubout"))

    def run(act, *, answers=(), **params):
        commands: list[str] = []

        def answer(words, **_):
            line = " ".join(words)
            if "openssl" in words:
                return 0, openssl(*words[words.index("openssl") + 1 :]), ""
            commands.append(line)
            stops = sum(" stop " in command for command in commands)
            usual = {"--raw=/readyz": (0, "ok", ""), "crictl ps": (0, f"id{stops}", "")}
            return next((answer for part, answer in {**usual, **dict(answers)}.items() if part in line), (0, "", ""))

        options = {"act": act, "number": 2, "address": "10.0.1.1", "port": "6443", **params}
        return run_module(module, options, answer), commands

    run.root, run.module = tmp_path, module
    return run


def openssl(*words: str) -> str:
    return subprocess.run(["openssl", *words], capture_output=True, text=True, check=True).stdout


def test_no_server_trusts_or_uses_a_key_before_it_was_handed_one(play):
    refused, commands = play("know")
    assert refused["msg"] == "the first server handed no key 2 to this one; onboard all servers together"
    assert (commands, play("use")[0]) == ([], {"changed": False})


def test_an_old_key_ends_in_a_later_run_than_the_one_that_made_the_new_one(play):
    refused, _ = play("look", ended=1)
    assert (
        "this server signs tokens with key 1, which kubernetes_control_plane_signing_keys_ended: 1 would end"
        in refused["msg"]
    )
    assert play("look")[0]["due"]


def test_keys_never_go_back_and_those_of_others_are_left_alone(play):
    play("make", number=3)
    assert "tokens are verified by key 3 already, and keys never go back (declared 2)" in play("look")[0]["msg"]
    (play.root / PRIVATE).write_text(openssl("genpkey", "-algorithm", "ED25519"))
    assert "sa.key belongs to no key of" in play("look", number=3)[0]["msg"]
    (play.root / PUBLIC).unlink()
    assert play("look")[0]["due"] is False  # before the cluster is founded


def test_a_private_key_that_is_gone_is_not_handed_on_as_the_new_one(play):
    handed, commands = play("make")
    assert handed["key"].startswith("key2\n-----BEGIN PRIVATE KEY-----\n")
    assert sum(" crictl stop " in line for line in commands) == 1  # both programs have one container here
    assert (play.root / NEXT).stat().st_mode & 0o77 == 0
    (play.root / NEXT).unlink()
    assert play("make")[0]["msg"] == "the private part of key 2 is not on this server any more; declare key 3"


def test_tokens_in_secrets_that_an_ended_key_has_signed_are_made_anew_and_no_others(play):
    play("make")
    new = play.module._key_id(play.module._trusted()[2])
    listed = {
        "items": [secret("old", "another"), secret("young", new), {"metadata": {"name": "empty", "namespace": "a"}}]
    }
    result, commands = play("reissue", ended=1, answers=[("get secrets", (0, json.dumps(listed), ""))])
    assert result == {"changed": True, "msg": "new tokens, signed with key 2: a/old"}
    assert sum(" patch secret " in line for line in commands) == 1


def secret(name: str, key: str) -> dict[str, object]:
    head = base64.urlsafe_b64encode(json.dumps({"alg": "RS256", "kid": key}).encode()).rstrip(b"=")
    token = base64.b64encode(head + b".body.signature").decode()
    return {"metadata": {"name": name, "namespace": "a"}, "data": {"token": token}}
