"""The program that takes a node out of its cluster, on answers of an API server: a node that serves is left as it is."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path

import pytest

FILE = Path(__file__).parents[3] / "roles" / "slurm_node" / "files" / "leave_kubernetes.py"
CORDONED = {"spec": {"unschedulable": True}}


def pod(name, phase="Running", **metadata):
    return {"metadata": {"namespace": "default", "name": name, **metadata}, "status": {"phase": phase}}


STANDING = [
    pod("agent", ownerReferences=[{"kind": "DaemonSet"}]),
    pod("mirror", annotations={"kubernetes.io/config.mirror": "x"}),
    pod("done", "Succeeded"),
]


@pytest.fixture
def leave(tmp_path, monkeypatch):
    """Runs the program; returns status and the programs that changed something."""
    spec = importlib.util.spec_from_file_location("leave_kubernetes", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "NETWORK", str(tmp_path))
    (tmp_path / "10-calico.conflist").touch()

    def run(node, pods=(), error=""):
        ran = []

        def program(argv, **_):
            if argv[0] == "hostname":
                return subprocess.CompletedProcess(argv, 0, "gpu-001\n", "")
            if argv[0] != "kubectl":
                ran.append(argv[0])
                return subprocess.CompletedProcess(argv, 0, "", "")
            if error:
                return subprocess.CompletedProcess(argv, 1, "", error)
            answer = {"items": list(pods)} if "fieldSelector=spec.nodeName%3Dgpu-001" in argv[-1] else node
            return subprocess.CompletedProcess(argv, 0, json.dumps(answer), "")

        monkeypatch.setattr(module.subprocess, "run", program)
        return module.main(), ran

    return run


def test_a_drained_node_leaves_and_the_network_of_its_pods_with_it(leave, tmp_path):
    assert leave(CORDONED, STANDING) == (0, ["systemctl", "kubeadm"])
    assert list(tmp_path.iterdir()) == []


def test_a_node_that_the_cluster_has_deleted_leaves(leave):
    assert leave(None, error='Error from server (NotFound): nodes "gpu-001" not found') == (0, ["systemctl", "kubeadm"])


@pytest.mark.parametrize(
    ("node", "pods", "error", "says"),
    [
        ({"spec": {}}, [], "", "it takes new pods"),
        (CORDONED, [*STANDING, pod("train")], "", "it runs default/train"),
        (CORDONED, [], "dial tcp: connection refused", "whether gpu-001 serves Kubernetes cannot be told"),
    ],
)
def test_a_node_that_serves_or_may_serve_is_left_as_it_is(leave, capsys, tmp_path, node, pods, error, says):
    assert leave(node, pods, error) == (1, [])
    assert says in (printed := capsys.readouterr().err)
    assert "kubectl drain gpu-001 --ignore-daemonsets" in printed
    assert list(tmp_path.iterdir()) != []
