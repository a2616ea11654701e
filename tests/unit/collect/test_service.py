import json
from dataclasses import replace

import pytest

from rackwright.base.errors import OutsideError
from rackwright.collect import not_served, refused_nodes
from tests.build import site_design


def nodes(*names, scheduler="slurm"):
    return [replace(site_design().node(name), scheduler=scheduler) for name in names]


def slurm(**states):
    lines = [
        f"NodeName={name.replace('_', '-')} Arch=x86_64\n   Gres=gpu:8\n   State={state}\n"
        for name, state in states.items()
    ]
    return lambda argv: (0, "\n".join(lines), "")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("IDLE+DRAIN", ""),
        ("DOWN", ""),
        ("DOWN*+DRAIN", ""),
        ("IDLE+MAINTENANCE", ""),
        ("IDLE", "Slurm gives it jobs (idle): drain it first, scontrol update NodeName=train-001 State=DRAIN"),
        ("MIXED", "jobs run on it (Slurm: mixed)"),
        ("ALLOCATED+DRAIN", "jobs run on it (Slurm: allocated+drain): drain it and wait"),
        ("COMPLETING+DRAIN", "jobs run on it"),
        ("UNKNOWN", "Slurm gives it jobs (unknown)"),
    ],
)
def test_only_nodes_that_slurm_gives_no_jobs_may_be_loaded(state, words):
    reasons = refused_nodes(nodes("train-001", "train-002"), slurm(train_001=state), None)
    assert set(reasons) == ({"train-001"} if words else set())
    assert words in reasons.get("train-001", "")


def gone(_argv):
    raise OutsideError("10.0.0.1 cannot be reached")


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (None, "there is no controller to ask"),
        (gone, "cannot be reached"),
        (lambda _: (1, "", "slurm_load_node error: Unable to contact slurm controller\n"), "Unable to contact"),
        (lambda _: (0, "nonsense", ""), "expected NodeName="),
    ],
)
def test_a_scheduler_that_does_not_answer_refuses_its_nodes(run, words):
    reasons = refused_nodes(nodes("train-001"), run, None)
    assert words in reasons["train-001"]
    assert "--unscheduled" in reasons["train-001"]


def test_nodes_of_no_scheduler_are_never_refused():
    assert refused_nodes(nodes("train-001", scheduler="none"), None, None) == {}


def cluster(spec=None, pods=()):
    answers = {"nodes": {"items": [{"metadata": {"name": "train-001"}, "spec": spec or {}}]}, "pods": {"items": pods}}
    return lambda argv: (0, json.dumps(answers[argv[2]]), "")


def pod(kind, node="train-001"):
    return {"metadata": {"ownerReferences": [{"kind": kind}]}, "spec": {"nodeName": node}}


@pytest.mark.parametrize(
    ("spec", "pods", "words"),
    [
        ({"unschedulable": True}, [pod("DaemonSet"), pod("Node")], ""),
        ({"taints": [{"key": "rackwright.dev/accepted", "effect": "NoSchedule"}]}, [pod("Job", "train-009")], ""),
        ({}, [], "Kubernetes gives it pods: kubectl cordon train-001 first"),
        ({"taints": [{"key": "a", "effect": "PreferNoSchedule"}]}, [], "kubectl cordon"),
        ({"unschedulable": True}, [pod("Job")], "pods run on it"),
    ],
)
def test_kubernetes_nodes_must_be_cordoned_and_empty(spec, pods, words):
    reasons = refused_nodes(nodes("train-001", "train-002", scheduler="kubernetes"), None, cluster(spec, pods))
    assert set(reasons) == ({"train-001"} if words else set())
    assert words in reasons.get("train-001", "")


def test_without_a_kubectl_that_works_nobody_is_loaded():
    reasons = refused_nodes(nodes("train-001", scheduler="kubernetes"), None, lambda _: (1, "", "no route"))
    assert "(no route)" in reasons["train-001"]


def test_slurm_starts_tests_only_on_nodes_in_its_service():
    run = slurm(train_001="IDLE", train_002="IDLE+DRAIN")
    reasons = not_served(nodes("train-001", "train-002"), run)
    assert reasons == {"train-002": "Slurm starts nothing on train-002 (idle+drain): use --via mpi, or resume it"}
    assert "cannot be reached" in not_served(nodes("train-001"), gone)["train-001"]
