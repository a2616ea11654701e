"""Servers first, then nodes with a token that ends with the run."""

from __future__ import annotations

import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rackwright import catalog, design, onboard
from rackwright.base import yaml_text
from rackwright.base.workspace import Workspace
from rackwright.flow import cluster_joining
from rackwright.model.access import Access, Secret
from rackwright.model.inventory import HostRecap, Recap
from rackwright.model.site import Site

MIXED = Path(__file__).resolve().parents[3] / "inventories" / "mixed-pod" / "site.yaml"
TOKEN = "abcdef.0123456789abcdef"
NODES = ("train-001", "serve-001", "slurm-01", "kubernetes-01")


@dataclass
class Server:
    """The first server, by what it answers to the first two words of a command."""

    answers: dict[str, tuple[int, str, str]]
    commands: list[str] = field(default_factory=list)

    def run(self, words: Any) -> tuple[int, str, str]:
        self.commands.append(" ".join(words))
        return next(
            (answer for begin, answer in self.answers.items() if self.commands[-1].startswith(begin)), (0, "", "")
        )


@pytest.fixture(scope="module")
def expanded():
    data = yaml_text.load(MIXED.read_text())
    data["control"]["kubernetes"]["servers"] = {"server": "head-node-1u", "count": 1}
    return design.expand(Site.model_validate(data), catalog.load())


@pytest.fixture
def brought(expanded, tmp_path, monkeypatch):
    """``brought(server, options)``: nodes and files of each call of `bring`, the notes, and the recap."""
    notes: list[str] = []
    access = Access("root", tmp_path / "key", tmp_path / "known", "admin", Secret("secret"), None)
    job = types.SimpleNamespace(
        design=expanded,
        nodes=NODES,
        access=access,
        workspace=Workspace(tmp_path),
        watch=types.SimpleNamespace(note=notes.append),
    )

    def play(server, options=None):
        monkeypatch.setattr(cluster_joining.ssh_runner, "runner", lambda *_: server.run)
        calls = []

        def bring(names, files):
            token = files.get("kubeadm_token")
            calls.append((tuple(names), token.read_text().strip() if token else "", "kubernetes_ca" in files))
            hosts = {
                name: HostRecap(ok=1, changed=0, unreachable=0, failed=0, first_failure="", attempts=1)
                for name in names
            }
            return Recap(hosts=hosts, seconds=1.0, task_seconds={"base": 1.0})

        recap = cluster_joining.bring_in_order(job, options or onboard.OnboardOptions(), bring)
        assert set(recap.hosts) == set(NODES)
        assert not (tmp_path / "secrets" / "kubeadm.token").exists()
        return calls, notes

    return play


def test_nodes_join_with_a_token_of_the_first_server_that_ends_with_the_run(brought):
    server = Server({"cat": (0, "CERTIFICATE\n", ""), "kubeadm token create": (0, f"{TOKEN}\n", "")})
    calls, notes = brought(server)
    assert calls == [(("kubernetes-01",), "", False), (("train-001", "serve-001", "slurm-01"), TOKEN, True)]
    assert server.commands[-1] == "kubeadm token delete abcdef"
    assert notes == []


def test_other_nodes_are_brought_when_the_servers_are_not_there(brought):
    calls, (note,) = brought(Server({"cat": (1, "", "cat: /etc/kubernetes/pki/ca.crt: No such file or directory")}))
    assert calls[1] == (("train-001", "serve-001", "slurm-01"), "", False)
    assert "onboard kubernetes-01 first" in note


@pytest.mark.parametrize("options", [onboard.OnboardOptions(check=True), onboard.OnboardOptions(roles=("chrony",))])
def test_who_joins_nothing_asks_for_no_token(brought, options):
    server = Server({})
    calls, _ = brought(server, options)
    assert calls == [(NODES, "", False)]
    assert server.commands == []
