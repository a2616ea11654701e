"""The module that founds, joins and upgrades: with commands that are answered here instead of by kubeadm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

DECLARED = "apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\n---\nkind: ClusterConfiguration\n"
TOKEN, HASH = "abcdef.0123456789abcdef", f"sha256:{'b' * 64}"
JOINING = {
    "act": "join", "version": "1.34.2", "endpoint": "10.0.0.10:6443", "name": "kubernetes-002", "address": "10.0.1.2", "founder": "kubernetes-001",
    "token": TOKEN, "ca_sha256": HASH, "certificate_key": "c" * 64, "encryption": "kind: EncryptionConfiguration\n",
}  # fmt: skip


@pytest.fixture
def play(host_module, run_module, monkeypatch, tmp_path):
    """``play(act="found", ...)``: the result, and the commands; `answers` are by the first words of a command."""
    module = host_module("kubernetes_server")
    monkeypatch.setattr(module.kubernetes, "FOLDER", tmp_path / "kubernetes")
    monkeypatch.setattr(module, "RUN", tmp_path / "run")
    monkeypatch.setattr(module, "APPLIED", tmp_path / "applied")
    (tmp_path / "kubernetes/rackwright").mkdir(parents=True)
    (tmp_path / "kubernetes/manifests").mkdir()
    (tmp_path / "kubernetes/rackwright/kubeadm.yaml").write_text(DECLARED)
    manifest = tmp_path / "kubernetes/manifests/kube-apiserver.yaml"

    def run(*, check: bool = False, answers=(), **params):
        commands: list[str] = []

        def answer(words):
            line = " ".join(words[3 if words[1].startswith("--") else 2 :])
            files = [word for word in words if word.startswith(str(tmp_path / "run"))]
            commands.append(line + "".join(f" <{Path(path).read_text()}>" for path in files))
            begins = ("kubeadm init --config", "kubeadm join", "kubeadm upgrade")
            if line.startswith(begins) and line not in dict(answers):
                manifest.write_text(f"image: registry.k8s.io/kube-apiserver:v{params['version']}\n")
            if line.endswith("--raw=/readyz") and line not in dict(answers):
                return 0, "ok", ""
            return next((answer for begin, answer in dict(answers).items() if line.startswith(begin)), (0, "", ""))

        return run_module(module, params, answer, check=check), commands

    run.folder, run.manifest, run.module = tmp_path, manifest, module
    return run


def test_the_first_server_founds_once_with_a_key_for_root_alone(play):
    result, commands = play(act="found", version="1.34.2")
    key = play.folder / "kubernetes/encryption/config.yaml"
    assert (result["changed"], len(commands)) == (True, 1)
    assert key.stat().st_mode & 0o777 == 0o600
    assert "secretbox" in key.read_text()
    assert play(act="found", version="1.34.2") == ({"changed": False}, [])


def test_a_failed_founding_is_begun_anew_with_the_same_key(play):
    failed, _ = play(
        act="found",
        version="1.34.2",
        answers=[("kubeadm init", (1, "", "error: [ERROR CRI]\nTo see the stack trace of this"))],
    )
    assert failed["msg"] == "kubeadm init --config ended with 1: error: [ERROR CRI]"
    key = (play.folder / "kubernetes/encryption/config.yaml").read_text()
    play(act="found", version="1.34.2")
    assert (play.folder / "kubernetes/encryption/config.yaml").read_text() == key


def test_others_are_let_in_by_keys_that_stay_in_no_file(play):
    play(act="found", version="1.34.2")
    printed = f"kubeadm join 10.0.0.10:6443 --token {TOKEN} --discovery-token-ca-cert-hash {HASH} \n"
    keys, commands = play(act="let-in", answers=[("kubeadm token create", (0, printed, ""))])
    assert (keys["token"], keys["ca_sha256"]) == (TOKEN, HASH)
    assert f"certificateKey: {keys['certificate_key']}" in commands[0]
    assert (
        keys["certificate_key"] not in commands[0].partition("<")[0]
    )  # nor in a command line, which everybody on the host reads
    assert list((play.folder / "run").iterdir()) == []
    assert "secretbox" in keys["encryption"]


def test_a_server_joins_once_and_has_the_key_of_the_others(play):
    result, (command,) = play(**JOINING)
    assert result["changed"]
    requested = json.loads(command.partition("<")[2].removesuffix(">"))
    assert requested["controlPlane"] == {
        "localAPIEndpoint": {"advertiseAddress": "10.0.1.2", "bindPort": 6443},
        "certificateKey": "c" * 64,
    }
    assert (play.folder / "kubernetes/encryption/config.yaml").read_text() == "kind: EncryptionConfiguration\n"
    assert list((play.folder / "run").iterdir()) == []
    assert play(**JOINING) == ({"changed": False}, [])


def test_a_server_that_nobody_lets_in_says_who_would(play):
    failed, commands = play(**{**JOINING, "token": ""})
    assert "kubernetes-002 has not joined, and kubernetes-001, which would let it in" in failed["msg"]
    assert commands == []
    assert "Traceback" not in play(**{**JOINING, "external_etcd": True})[0]["msg"]


def test_an_upgrade_waits_for_servers_that_are_not_ready(play):
    play(act="found", version="1.34.2")
    away = [("kubectl", (0, "kubernetes-001 True\nkubernetes-002 False\nkubernetes-003 Unknown\n", ""))]
    refused, commands = play(act="upgrade", version="1.35.1", first=True, answers=away)
    assert refused["msg"].startswith("kubernetes-002, kubernetes-003 of the control plane is not ready")
    assert not [line for line in commands if line.startswith("kubeadm")]
    ready = [("kubectl", (0, "kubernetes-001 True\n", ""))]
    done, commands = play(act="upgrade", version="1.35.1", first=True, answers=ready)
    assert done["changed"]
    assert "kubeadm upgrade apply v1.35.1 --yes" in commands
    assert play(act="upgrade", version="1.35.1", first=True) == ({"changed": False}, [])
    _, commands = play(act="upgrade", version="1.36.0", answers=ready)
    assert "kubeadm upgrade node" in commands


def test_a_changed_configuration_is_applied(play):
    play(act="found", version="1.34.2")
    (play.folder / "kubernetes/rackwright/kubeadm.yaml").write_text(f"{DECLARED}# changed\n")
    checked, _ = play(act="upgrade", version="1.34.2", first=True, check=True)
    assert checked["diff"]["after"] == "control plane with the declared configuration\n"
    _, commands = play(act="upgrade", version="1.34.2", first=True)
    assert [line.split(" --config")[0] for line in commands if line.startswith("kubeadm")] == [
        "kubeadm init phase upload-config kubeadm", "kubeadm init phase control-plane all",
    ]  # fmt: skip
    assert play(act="upgrade", version="1.34.2", first=True) == ({"changed": False}, [])


def test_a_changed_manifest_is_waited_for_until_the_kubelet_has_started_it(play, monkeypatch):
    module = play.module
    play(act="found", version="1.34.2")
    (play.folder / "kubernetes/rackwright/kubeadm.yaml").write_text(f"{DECLARED}# changed\n")
    looks: list[str] = []

    def containers(_, name):
        looks.append(name)
        if len(looks) == 3:  # what kubeadm does next
            play.manifest.write_text(f"{play.manifest.read_text()}# changed\n")
        return {"old"} if len(looks) < 6 else {"new"}

    monkeypatch.setattr(module.kubernetes, "containers", containers)
    monkeypatch.setattr(module.kubernetes, "LOOK_SECONDS", 0)
    assert play(act="upgrade", version="1.34.2", first=True)[0]["changed"]
    assert len(looks) >= 6
