"""The module that rotates the key of secrets: what it refuses, and how it goes on; with commands that are answered here."""

from __future__ import annotations

import json
import re

import pytest

CONFIGURATION = "kubernetes/encryption/config.yaml"
SECRETS = json.dumps({"items": [{"kind": "Secret"}]})


@pytest.fixture
def play(host_module, run_module, monkeypatch, tmp_path):
    """``play("know", ...)``: the result, and the commands; `answers` are by the words that a command has."""
    module = host_module("kubernetes_secrets_key")
    monkeypatch.setattr(module.kubernetes, "FOLDER", tmp_path / "kubernetes")
    monkeypatch.setattr(module.kubernetes, "LOOK_SECONDS", 0)
    monkeypatch.setattr(module.kubernetes, "STATE", tmp_path / "state")
    path = tmp_path / CONFIGURATION
    path.parent.mkdir(parents=True)
    path.write_text(module.kubernetes.encryption_configuration({"key1": "b25l"}))

    def run(act, *, check=False, answers=(), **params):
        commands: list[str] = []

        def answer(words, **_):
            line = " ".join(words)
            commands.append(line)
            stops = sum(" stop " in command for command in commands)
            usual = {
                "--raw=/readyz": (0, "ok", ""),
                "crictl ps": (0, f"id{stops}", ""),
                "get secrets": (0, SECRETS, ""),
            }
            return next((answer for part, answer in {**usual, **dict(answers)}.items() if part in line), (0, "", ""))

        options = {"act": act, "number": 2, "address": "10.0.1.1", "port": "6443", **params}
        return run_module(module, options, answer, check=check), commands

    run.path, run.state = path, tmp_path / "state"
    return run


def names(play) -> list[str]:
    return re.findall("name: (key[0-9]+)", play.path.read_text())


def test_an_act_whose_play_was_killed_before_its_api_server_started_starts_it(play):
    handed = play("make")[0]["encryption"]
    assert names(play) == ["key1", "key2"]
    (play.state / "encryption.sha256").unlink()
    result, commands = play("make")
    assert result["encryption"] == handed
    assert [line for line in commands if " crictl stop " in line]
    assert play("make") == ({"changed": False, "encryption": handed}, [])


def test_no_server_encrypts_by_a_key_before_it_was_handed_one(play):
    refused, commands = play("know")
    assert refused["msg"] == "the first server handed no key2 to this one; onboard all servers together"
    assert (commands, names(play)) == ([], ["key1"])


def test_a_server_is_left_as_it_is_while_another_one_is_not_ready(play):
    refused, commands = play("make", answers=[("get nodes", (0, "kubernetes-001 True\nkubernetes-002 False\n", ""))])
    assert refused["msg"].startswith("kubernetes-002 of the control plane is not ready")
    assert names(play) == ["key1"]
    assert not [line for line in commands if "crictl" in line]


def test_a_secret_that_somebody_wrote_since_is_no_failure_and_any_other_reason_is(play):
    play("make")
    invalid = 'Error from server (Invalid): Secret "a" is invalid: data[word]: plain-as-day\n'
    failed, _ = play("rewrite", answers=[("replace", (1, "", f"Error from server (Conflict): x\n{invalid}"))])
    assert (
        failed["msg"]
        == "not every secret is encrypted by key2: Invalid; no key is taken away. Onboard all servers again"
    )
    assert play("forget")[0] == {"changed": False}
    gone = "Error from server (Conflict): a\nError from server (NotFound): b\n"
    assert play("rewrite", answers=[("replace", (1, "", gone))])[0] == {"changed": True, "rewritten": True}
    play("use")
    assert play("forget")[0] == {"changed": True}
    assert names(play) == ["key2"]


def test_an_api_server_that_does_not_come_back_ends_the_play_before_the_next_server(play, host_module, monkeypatch):
    monkeypatch.setitem(host_module("rackwright_kubernetes").SECONDS, "ready", 0)
    failed, _ = play("make")
    assert failed["msg"].startswith("the API server of this server does not answer after 0 s")


def test_keys_never_go_back_and_those_of_others_are_left_alone(play):
    assert play("look", number=1)[0]["due"] is False
    play.path.write_text(play.path.read_text().replace("key1", "key5"))
    assert "secrets are encrypted by key5 already, and keys never go back (declared 2)" in play("look")[0]["msg"]
    play.path.write_text("kind: EncryptionConfiguration\nresources: [{resources: [secrets], providers: [{kms: {}}]}]\n")
    assert "is not as this role writes it, so its keys are left alone" in play("look")[0]["msg"]
    assert play("look", number=1)[0]["due"] is False


def test_a_check_says_what_would_change_and_a_server_before_its_cluster_has_nothing_due(play):
    checked, _ = play("look", check=True)
    assert (checked["changed"], checked["diff"]["after"]) == (True, "secrets are encrypted by key2\n")
    play.path.unlink()
    assert play("look")[0]["due"] is False
