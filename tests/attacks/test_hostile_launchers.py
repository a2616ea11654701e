"""Tests over several nodes whose nodes, pods or schedulers print without end: the test has no result, its sentence names why, and its Job is deleted."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright.base import foreign
from rackwright.collect.launchers import kubectl, kubernetes, remote
from rackwright.collect.launchers.launcher import Launch
from rackwright.flow import schedulers
from tests.unit.collect.conftest import serve

SMALL = 1 << 20
TEST = Launch("ring", ("train-001", "train-002"), ("ring",), 5.0, 8)
POD = {number: {"metadata": {"name": f"pod-{number}"}, "spec": {"nodeName": f"train-00{number}"}} for number in (1, 2)}
PODS = json.dumps({"items": list(POD.values())})
ENDED = '{"status": {"conditions": [{"type": "Complete", "status": "True"}]}}'


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kubectl whose pods print `LOGS` and whose list of pods is `PODS`; its calls stand in the file that is returned."""
    program, calls = tmp_path / "kubectl", tmp_path / "calls"
    program.write_text(
        f"""#!/bin/sh
shift; echo "$@" >> {calls}
case "$1 $2" in
get\\ job*) echo '{ENDED}';;
get\\ pods*) eval "$PODS";;
logs*) eval "$LOGS";;
esac
"""
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("PODS", f"echo '{PODS}'")
    limit = foreign.limit
    monkeypatch.setattr(foreign, "limit", lambda name: replace(limit(name), bytes=min(limit(name).bytes, SMALL)))
    monkeypatch.setattr(kubectl, "LISTING", foreign.limit("scheduler_listing"))
    return calls


@pytest.mark.parametrize(
    ("pods", "logs", "words"),
    [
        ("", "exec yes", "more than 1 MiB"),
        ("", "yes | head -c 700000", "more than"),  # each less than a test may print, both together more
        ("exec yes", "", "more than 1 MiB"),
        ("printf '{\"items\": '; yes '[' | head -c 900 | tr -d '\\n'", "", "nests deeper than 64 levels"),
    ],
    ids=["endless log", "logs that are too much together", "endless list", "deep list"],
)
def test_pods_that_print_too_much(
    cluster: Path, monkeypatch: pytest.MonkeyPatch, pods: str, logs: str, words: str
) -> None:
    monkeypatch.setenv("LOGS", logs)
    if pods:
        monkeypatch.setenv("PODS", pods)
    answer = asyncio.run(kubernetes.KubernetesLauncher("busybox:1.37", "run-1").launch(TEST))
    assert words in answer.error
    assert (answer.stdout, "\n" in answer.error) == (b"", False)
    assert cluster.read_text().splitlines()[-1].startswith("delete job/")


def test_a_list_of_the_cluster_without_end_opens_no_gate(cluster: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODS", "exec yes")
    status, output, error = schedulers.kubectl(["kubectl", "-n", "get", "pods"])
    assert (status, output, "more than 1 MiB" in error) == (1, "", True)


def test_a_first_node_that_prints_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `mpirun` and `srun` are started: over SSH."""
    limit = foreign.limit
    monkeypatch.setattr(foreign, "limit", lambda name: replace(limit(name), bytes=min(limit(name).bytes, SMALL)))
    with serve(tmp_path) as sshd:
        host = remote.RemoteHost("train-001", "127.0.0.1", sshd.access, sshd.port)
        answer = asyncio.run(host.run(TEST, ["yes"], "mpirun"))
    assert "train-001: it printed more than 1 MiB" in answer.error
    assert len(answer.stdout) <= SMALL
