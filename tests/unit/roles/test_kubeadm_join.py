"""The module that joins: once, with a token that nobody sees afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ASKED = {
    "endpoint": "10.0.0.10:6443",
    "ca_sha256": "b" * 64,
    "token": "abcdef.0123456789abcdef\n",
    "name": "train-001",
    "address": "10.0.1.1",
    "taints": [{"key": "rackwright.io/acceptance", "value": "pending", "effect": "NoSchedule"}],
    "socket": "unix:///run/containerd/containerd.sock",
    "seconds": 300,
}


@pytest.fixture
def play(host_module, run_module, monkeypatch, tmp_path):
    """Runs the module with a kubeadm that does what `kubeadm` says; returns what it told and what kubeadm was given."""
    module = host_module("kubeadm_join")
    monkeypatch.setattr(module, "JOINED", str(tmp_path / "kubelet.conf"))
    monkeypatch.setattr(module, "CONFIGURATION", str(tmp_path / "join.json"))
    monkeypatch.setattr(module, "BEGUN", str(tmp_path / "pending" / "kubeadm_join"))
    monkeypatch.setattr(module, "LEFT", (str(tmp_path / "bootstrap-kubelet.conf"), str(tmp_path / "ca.crt")))
    observed: list[dict] = []

    def run(*, check: bool = False, answer=(0, "", ""), **options):
        def kubeadm(words):
            if words[0] == "systemctl":
                run.stopped.append(words[-1])
                return 0, "", ""
            if any(Path(entry).exists() for entry in module.LEFT):
                return 1, "", "[ERROR FileAvailable--etc-kubernetes-pki-ca.crt]: already exists"
            path = Path(words[-1])
            assert path.stat().st_mode & 0o777 == 0o600
            observed.append(json.loads(path.read_text()))
            if answer[0] == 0:
                (tmp_path / "kubelet.conf").touch()
            return answer

        return run_module(module, {**ASKED, **options}, kubeadm, check=check), observed

    run.stopped = []
    run.left = lambda: (tmp_path / "join.json").exists()
    return run


def test_a_node_joins_once(play):
    reported, observed = play()
    assert reported["changed"]
    assert observed[0]["nodeRegistration"]["taints"] == ASKED["taints"]
    assert observed[0]["discovery"]["bootstrapToken"]["caCertHashes"] == [f"sha256:{'b' * 64}"]
    reported, observed = play()
    assert not reported["changed"]
    assert len(observed) == 1


def test_the_token_is_gone_whether_kubeadm_succeeds_or_fails(play):
    play(answer=(1, "", "error: connection refused"))
    assert not play.left()
    play()
    assert not play.left()


def test_a_check_says_that_the_node_would_join_and_does_not_join(play):
    reported, observed = play(check=True)
    assert reported["changed"]
    assert "train-001 joins the cluster at 10.0.0.10:6443" in reported["diff"]["after"]
    assert observed == []


def test_a_node_that_has_joined_needs_no_token(play):
    play()
    assert not play(token="")[0]["changed"]


def test_a_new_node_without_a_token_says_how_to_get_one(play):
    reported, observed = play(token="")
    assert "kubeadm token create" in reported["msg"]
    assert observed == []


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ('could not find a JWS signature in the cluster-info ConfigMap for token ID "abcdef"', "has expired"),
        ("none of the public keys is pinned", "control.kubernetes.ca_sha256"),
        ("dial tcp 10.0.0.10:6443: connect: connection refused", "does not answer"),
    ],
)
def test_known_failures_come_with_what_to_do(play, message, hint):
    reported, _ = play(
        answer=(1, "", f"error: {message}\nTo see the stack trace of this error execute with --v=5 or higher")
    )
    assert message in reported["msg"]
    assert hint in reported["msg"]
    assert "0123456789abcdef" not in reported["msg"]


def test_taints_without_a_value_have_none(play):
    _, observed = play(taints=[{"key": "dedicated", "effect": "NoExecute"}])
    assert observed[0]["nodeRegistration"]["taints"] == [{"key": "dedicated", "effect": "NoExecute"}]


def test_a_join_that_was_interrupted_is_begun_anew(play, tmp_path):
    play(answer=(1, "", "error execution phase kubelet-start: timed out"))
    (tmp_path / "ca.crt").touch()
    (tmp_path / "bootstrap-kubelet.conf").touch()
    reported, _ = play()
    assert reported["changed"]
    assert "msg" not in reported
    assert play.stopped == ["kubelet"]
    assert not (tmp_path / "pending" / "kubeadm_join").exists()


def test_what_others_have_put_there_is_left_alone(play, tmp_path):
    (tmp_path / "ca.crt").touch()
    for _ in range(2):
        reported, _ = play()
        assert "ca.crt]: already exists" in reported["msg"]
    assert (tmp_path / "ca.crt").exists()
    assert play.stopped == []
