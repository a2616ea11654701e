"""What the twin's API server means: versions, patches, selectors, Jobs, scheduling, who may do what."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import pytest

from rackwright.collect.launchers import manifest, probe_manifest
from rackwright.collect.launchers.launcher import Launch
from rackwright.twin.kubernetes import fields, patches, scheduler, selectors
from rackwright.twin.kubernetes.api import ADMIN, Api, Request
from rackwright.twin.kubernetes.jobs import Controllers
from rackwright.twin.kubernetes.nodes import GRACE_SECONDS, Heartbeats, node_status
from rackwright.twin.kubernetes.objects import ApiError, KubernetesObjects

NOW = datetime(2026, 11, 22, 10, tzinfo=UTC)
GPUS = {"allocatable": {"nvidia.com/gpu": "8"}, "conditions": [{"type": "Ready", "status": "True"}]}


class Cluster:
    def __init__(self, *names: str) -> None:
        self.objects = KubernetesObjects()
        self.api = Api(self.objects, lambda _node: dict(GPUS))
        self.controllers = Controllers(self.objects, self.api.nodes)
        for name in names:
            body = {"metadata": {"name": name}, "spec": {}}
            self.ask("POST", "/api/v1/nodes", body, who=f"system:node:{name}")

    def ask(self, method, path, body=None, *, who=ADMIN, kind="", **query):
        return self.api.answer(Request(method, path, who, query, body if body is not None else {}, kind))[1]

    def refused(self, *words, **rest) -> ApiError:
        with pytest.raises(ApiError) as error:
            self.ask(*words, **rest)
        return error.value

    def step(self, seconds: float = 0) -> None:
        self.controllers.step(datetime.now(UTC) + timedelta(seconds=seconds))

    def items(self, path: str, **query):
        return self.ask("GET", path, **query)["items"]

    def end(self, pod, phase: str) -> None:
        path = f"/api/v1/namespaces/default/pods/{pod['metadata']['name']}/status"
        self.ask("PATCH", path, {"status": {"phase": phase}}, kind=patches.MERGE)


JOBS, PODS, NODES = "/apis/batch/v1/namespaces/default/jobs", "/api/v1/namespaces/default/pods", "/api/v1/nodes"


def group(*nodes: str, accelerators: int = 8):
    return manifest.job_manifest(
        Launch("t", nodes, ("true",), 60, accelerators), "run", "busybox", "default", "nvidia.com/gpu"
    )


def test_a_write_on_an_old_version_is_refused() -> None:
    cluster = Cluster("gpu-001")
    old = cluster.ask("GET", f"{NODES}/gpu-001")
    taint = {"key": "fan", "value": "", "effect": "NoSchedule"}
    cluster.ask("PATCH", f"{NODES}/gpu-001", {"spec": {"taints": [taint]}}, kind=patches.MERGE)
    patch = {"metadata": {"resourceVersion": old["metadata"]["resourceVersion"]}, "spec": {"taints": []}}
    error = cluster.refused("PATCH", f"{NODES}/gpu-001", patch, kind=patches.MERGE)
    assert (error.status, error.reason) == (HTTPStatus.CONFLICT, "Conflict")
    assert "the object has been modified" in error.message
    assert cluster.ask("GET", f"{NODES}/gpu-001")["spec"]["taints"] == [taint]


def test_a_condition_of_ours_stands_beside_those_of_the_kubelet() -> None:
    cluster = Cluster("gpu-001")
    ours = {"status": {"conditions": [{"type": "RackwrightAccepted", "status": "True"}]}}
    cluster.ask("PATCH", f"{NODES}/gpu-001/status", ours, kind=patches.STRATEGIC)
    conditions = cluster.ask("GET", f"{NODES}/gpu-001")["status"]["conditions"]
    assert {condition["type"]: condition["status"] for condition in conditions} == {
        "RackwrightAccepted": "True",
        "Ready": "True",
    }


def test_a_kubelet_that_is_not_heard_makes_its_node_unknown() -> None:
    time = [0.0]
    heard = Heartbeats(lambda: time[0])
    heard.hear("gpu-001")
    node = {"metadata": {"name": "gpu-001"}}
    assert node_status(node, lambda _n: dict(GPUS), heard)["status"]["conditions"][0]["status"] == "True"
    time[0] = GRACE_SECONDS
    assert node_status(node, lambda _n: dict(GPUS), heard)["status"]["conditions"][0]["status"] == "Unknown"


def test_merges() -> None:
    before = {"a": {"b": 1, "c": 2}, "taints": [1], "conditions": [{"type": "x", "status": "1"}]}
    patch = {"a": {"b": None}, "taints": [2], "conditions": [{"type": "y", "status": "2"}]}
    merged = patches.patched(before, patch, patches.STRATEGIC)
    assert merged == {"a": {"c": 2}, "taints": [2], "conditions": [*before["conditions"], *patch["conditions"]]}
    assert patches.patched(before, patch, patches.MERGE)["conditions"] == patch["conditions"]
    with pytest.raises(ValueError, match="unknown format"):
        patches.patched(before, patch, "application/apply-patch+yaml")


@pytest.mark.parametrize(
    ("selector", "meets"),
    [
        ("a=1", True),
        ("a==1,b!=2", True),
        ("a=2", False),
        ("a in (1, 3),!c", True),
        ("a notin (1)", False),
        ("c", False),
    ],
)
def test_selectors(selector: str, meets: bool) -> None:
    assert selectors.by_labels(selector, {"a": "1", "b": "1"}) is meets
    assert selectors.by_fields("spec.nodeName=x,status.phase!=Running", {"spec": {"nodeName": "x"}, "status": {}})
    with pytest.raises(ValueError, match="unable to parse"):
        selectors.by_labels("=", {})


def test_what_rackwright_makes_has_no_unknown_field_and_a_typo_is_refused() -> None:
    objects = [
        probe_manifest.config_map("run", 1, "default", b"x"),
        probe_manifest.job("run", 1, "gpu-001", "{}", 60, "busybox", "default"),
        group("gpu-001"),
    ]
    assert [fields.unknown(manifest["kind"], manifest) for manifest in objects] == [[], [], []]
    objects[1]["spec"]["template"]["spec"]["containers"][0]["comand"] = ["x"]
    error = Cluster().refused("POST", JOBS, objects[1], fieldValidation="Strict")
    assert 'unknown field "spec.template.spec.containers[0].comand"' in error.message


def test_a_job_runs_a_pod_on_each_of_its_nodes_and_is_complete() -> None:
    cluster = Cluster("gpu-001", "gpu-002", "gpu-003")
    cluster.ask("POST", JOBS, group("gpu-001", "gpu-003"))
    cluster.step()
    pods = cluster.items(PODS)
    assert {running["spec"]["nodeName"] for running in pods} == {"gpu-001", "gpu-003"}
    for pod in pods:
        cluster.end(pod, "Succeeded")
    cluster.step()
    [job] = cluster.items(JOBS)
    assert [running["type"] for running in job["status"]["conditions"]] == ["Complete"]
    cluster.step(601)
    cluster.step(601)
    assert (cluster.items(JOBS), cluster.items(PODS)) == ([], [])


@pytest.mark.parametrize("how", ["fails", "is deleted", "takes too long"])
def test_a_job_whose_pod_is_lost_fails_without_a_second_try(how: str) -> None:
    cluster = Cluster("gpu-001")
    cluster.ask("POST", JOBS, group("gpu-001"))
    cluster.step()
    [pod] = cluster.items(PODS)
    if how == "fails":
        cluster.end(pod, "Failed")
    elif how == "is deleted":
        cluster.ask("DELETE", f"{PODS}/{pod['metadata']['name']}")
    cluster.step(200 if how == "takes too long" else 0)
    [job] = cluster.items(JOBS)
    assert job["status"]["conditions"][0]["type"] == "Failed"
    assert len(cluster.items(PODS)) == (how == "fails")


def test_a_pod_that_finds_no_node_says_why() -> None:
    cluster = Cluster("gpu-001", "gpu-002")
    cluster.ask("POST", JOBS, group("gpu-001"))
    second = group("gpu-001")
    second["metadata"]["name"] = "second"
    cluster.step()
    cluster.ask("POST", JOBS, second)
    cluster.step()
    waiting = next(pod for pod in cluster.items(PODS) if "nodeName" not in pod["spec"])
    [condition] = waiting["status"]["conditions"]
    assert condition["reason"] == "Unschedulable"
    assert condition["message"] == (
        "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) didn't match Pod's node affinity/selector."
    )


@pytest.mark.parametrize(
    ("tolerations", "cordoned", "words"),
    [([], True, "unschedulable"), ([], False, "untolerated taint {fan: }"), ([{"operator": "Exists"}], True, "")],
)
def test_cordons_and_taints_keep_pods_off(tolerations, cordoned: bool, words: str) -> None:
    taints = [] if cordoned else [{"key": "fan", "effect": "NoSchedule"}]
    node = {"metadata": {"name": "a"}, "spec": {"taints": taints, "unschedulable": cordoned}, "status": {}}
    placed, why = scheduler.place({"spec": {"tolerations": tolerations, "containers": []}}, [node], [])
    assert (placed, words in why) == ("" if words else "a", True)


def test_what_has_lost_its_owners_goes() -> None:
    cluster = Cluster("gpu-001")
    cluster.ask("POST", JOBS, probe_manifest.job("run", 1, "gpu-001", "{}", 60, "busybox", "default"))
    [job] = cluster.items(JOBS)
    carrier = probe_manifest.config_map("run", 1, "default", b"x")
    maps = "/api/v1/namespaces/default/configmaps"
    cluster.ask("POST", maps, carrier)
    patch = json.loads(probe_manifest.owners({job["metadata"]["name"]: job["metadata"]["uid"]}))
    cluster.ask("PATCH", f"{maps}/{carrier['metadata']['name']}", patch, kind=patches.MERGE)
    cluster.step()
    assert len(cluster.items(maps)) == 1
    cluster.ask("DELETE", f"{JOBS}/{job['metadata']['name']}")
    cluster.step()
    cluster.step()
    assert (cluster.items(maps), cluster.items(PODS)) == ([], [])


def test_a_kubelet_sees_its_own_pods_and_no_others() -> None:
    cluster = Cluster("gpu-001", "gpu-002")
    cluster.ask("POST", JOBS, group("gpu-001"))
    cluster.step()
    mine = {"who": "system:node:gpu-001", "fieldSelector": "spec.nodeName=gpu-001"}
    assert len(cluster.items("/api/v1/pods", **mine)) == 1
    peer = {"who": "system:node:gpu-002", "fieldSelector": "spec.nodeName=gpu-001"}
    assert cluster.refused("GET", "/api/v1/pods", **peer).status == HTTPStatus.FORBIDDEN
    [pod] = cluster.items(PODS)
    path = f"{PODS}/{pod['metadata']['name']}/status"
    assert cluster.refused("PATCH", path, {}, who="system:node:gpu-002").status == HTTPStatus.FORBIDDEN
    assert cluster.refused("GET", PODS, who="").status == HTTPStatus.UNAUTHORIZED
