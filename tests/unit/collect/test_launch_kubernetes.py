"""Jobs are made and watched by a small stand-in for kubectl; the manifest is compared with a golden file."""

import asyncio
import json
import os
import stat
import sys
from pathlib import Path

import pytest

from rackwright.base import yaml_text
from rackwright.collect.launchers import kubernetes, manifest
from rackwright.collect.launchers.launcher import Launch

GOLDEN = Path(__file__).parents[2] / "golden" / "launchers" / "job.yaml"
ONE = Launch("all_reduce train-001+train-002", ("train-001", "train-002"), ("tool", "a b"), 600, 8)

KUBECTL = """
import json, os, sys
from pathlib import Path
state = Path(os.environ["KUBECTL_STATE"])
words = [word for word in sys.argv[1:] if not word.startswith("--namespace")]
with (state / "calls").open("a") as calls:
    calls.write(json.dumps(words) + "\\n")
if words[0] == "create":
    (state / "job.json").write_text(sys.stdin.read())
elif words[0] == "get" and words[1].startswith("job/"):
    looks = len((state / "calls").read_text().splitlines())
    done = [{"type": os.environ["KUBECTL_END"], "status": "True"}] if looks > 2 else []
    print(json.dumps({"status": {"conditions": done}} if looks > 2 else {"kind": "Job"}))
elif words[0] == "get" and words[1] == "events":
    print(json.dumps({"items": []}))
elif words[0] == "get":
    full = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/2 nodes are available"}
    status = {"phase": os.environ.get("KUBECTL_PHASE", "Running"), "conditions": [full]}
    pods = [
        {"metadata": {"name": f"pod-{i}"}, "spec": {"nodeName": f"train-00{2 - i}"}, "status": status} for i in (1, 0)
    ]
    print(json.dumps({"items": pods}))
elif words[0] == "logs":
    if os.environ.get("KUBECTL_NO_LOGS"):
        sys.exit("Error from server: container is gone")
    print("# boot 00000000-0000-4000-8000-00000000000" + words[1][-1])
    print("said by", words[1])
    print(os.environ.get("KUBECTL_SAYS", ""))
"""


@pytest.fixture
def state(tmp_path, monkeypatch):
    program = tmp_path / "bin" / "kubectl"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable} -IS{KUBECTL}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("KUBECTL_STATE", str(tmp_path))
    monkeypatch.setenv("KUBECTL_END", "Complete")
    monkeypatch.setattr(kubernetes, "LOOK_SECONDS", 0.01)
    return tmp_path


def launched():
    return asyncio.run(
        kubernetes.KubernetesLauncher("busybox:1.37", "run-1", "acceptance", "nvidia.com/gpu").launch(ONE)
    )


def calls(state):
    return [json.loads(line) for line in (state / "calls").read_text().splitlines()]


def test_the_manifest_is_the_golden_one():
    document = manifest.job_manifest(ONE, "run-1", "busybox:1.37", "acceptance", "nvidia.com/gpu")
    assert yaml_text.load(GOLDEN.read_text()) == document


def test_names_are_labels_and_differ_by_test_and_run():
    launch = Launch("Ünïcode!" * 20, ("a",), (), 1, 0)
    names = [
        manifest.job_name(ONE, "1"),
        manifest.job_name(ONE, "2"),
        manifest.job_name(launch, "1"),
        manifest.job_name(Launch("", (), (), 1, 0), "1"),
    ]
    assert len(set(names)) == 4
    assert all(len(name) <= 63 and name.strip("-") == name and name == name.lower() for name in names)


def test_a_node_without_accelerators_or_of_an_unknown_maker_holds_none():
    document = manifest.job_manifest(Launch("x", ("a",), (), 1, 0), "1", "i", "n", "nvidia.com/gpu")
    assert document["spec"]["template"]["spec"]["containers"][0]["resources"] == {}
    assert manifest.job_manifest(ONE, "1", "i", "n", "")["spec"]["template"]["spec"]["containers"][0]["resources"] == {}


def test_logs_are_of_the_nodes_that_the_api_names_and_the_job_is_deleted(state):
    output = launched()
    assert (output.rc, output.error) == (0, "")
    printed = b"# task node=train-001\nsaid by pod/pod-1\n\n# task node=train-002\nsaid by pod/pod-0\n\n"
    assert output.stdout == printed
    assert [boot[-1] for boot in output.boots] == ["1", "0"]
    assert json.loads((state / "job.json").read_text())["metadata"]["namespace"] == "acceptance"
    assert calls(state)[-1][0] == "delete"


def test_a_failed_job_keeps_its_logs(state, monkeypatch):
    monkeypatch.setenv("KUBECTL_END", "Failed")
    output = launched()
    assert (output.rc, output.error) == (1, "")
    assert b"said by" in output.stdout


def test_a_job_that_does_not_end_is_deleted_and_said(state, monkeypatch):
    monkeypatch.setenv("KUBECTL_END", "Suspended")
    monkeypatch.setattr(kubernetes, "START_SECONDS", -299.9)
    output = launched()
    assert output.rc is None
    assert "did not end within" in output.error
    assert calls(state)[-1][0] == "delete"


def test_a_job_whose_pods_find_no_node_says_why(state, monkeypatch):
    monkeypatch.setenv("KUBECTL_END", "Suspended")
    monkeypatch.setenv("KUBECTL_PHASE", "Pending")
    monkeypatch.setattr(kubernetes, "START_SECONDS", -299.9)
    assert launched().error.endswith("2 of its pods wait: Unschedulable: 0/2 nodes are available")


def test_kubectl_that_fails_or_is_missing_is_one_sentence(state, monkeypatch):
    monkeypatch.setenv("KUBECTL_NO_LOGS", "1")
    assert launched().error == "Kubernetes: kubectl logs: Error from server: container is gone"
    assert calls(state)[-1][0] == "delete"
    monkeypatch.setenv("PATH", str(state / "nowhere"))
    assert launched().error == "Kubernetes: there is no kubectl on this machine"
