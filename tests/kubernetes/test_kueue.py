"""A real Kueue decides by the queues and the topology that the platform renders: gangs into one group, quotas, borrowing, taking back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright import catalog, design, export
from rackwright.base import yaml_text
from rackwright.export import ExportRequest
from rackwright.model.site import Site
from tests.conftest import KUBERNETES
from tests.kubernetes.control_plane import ControlPlane, process, running
from tests.patience import until
from tests.ports import free_port

pytestmark = [pytest.mark.kueue, pytest.mark.kubectl, pytest.mark.xdist_group("kueue")]
ROOT = Path(__file__).resolve().parents[2]
GPU = "amd.com/gpu"
QUEUE = "kueue.x-k8s.io/queue-name"
SHARING: dict[str, Any] = {
    "tenants": [
        {"name": "alpha", "quota": [{"accelerator": "mi300x", "accelerators": 64, "borrow": 64}]},
        {"name": "beta", "quota": [{"accelerator": "mi300x", "accelerators": 64}]},
    ],
    "classes": [
        {"name": "gang", "kind": "training", "priority": 500, "gang": True, "minimum": 64, "domain": "rail-group"},
        {"name": "spot", "kind": "training", "priority": 100, "preemptible": True, "minimum": 64, "domain": "rail-group", "tenants": ["alpha"]},
        {"name": "soon", "kind": "training", "priority": 200, "preemptible": True, "minimum": 64, "domain": "rail-group", "tenants": ["alpha"]},
    ],
}  # fmt: skip


WEBHOOKS = "kueue-{}-webhook-configuration"
INSTALLED: list[dict[str, Any]] = [
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kueue-system"}},
    {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "kueue-webhook-server-cert", "namespace": "kueue-system"},
    },
    *(
        {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": f"{kind}WebhookConfiguration",
            "metadata": {"name": WEBHOOKS.format(kind.lower())},
        }
        for kind in ("Validating", "Mutating")
    ),
]
"""What its chart installs beside it, and it waits for: its certificates, and its webhooks, which are not registered here."""


def site() -> dict[str, Any]:
    """Sixteen nodes of eight in two units with leaves of their own, shared by two tenants."""
    data: dict[str, Any] = yaml_text.load((ROOT / "inventories" / "mi300x-pod" / "site.yaml").read_text())
    data["pools"][0]["scalable_unit"] = 8
    data["facility"]["halls"][0]["racks_per_row"] = 20
    data["control"]["kubernetes"]["addons"] = {"kueue": {"version": "0.14.0"}}
    return data | {"workloads": []} | SHARING


def objects() -> list[dict[str, Any]]:
    """What the export writes; nodes as their kubelets would report them."""
    expanded = design.expand(Site.model_validate(site()), catalog.load())
    files = export.export(expanded, "kubernetes", ExportRequest(resources={"mi300x": GPU}))
    objects = (file for file in files if "/" not in file.name)  # values of charts are none
    entries = [entry for file in objects for entry in yaml.safe_load_all(file.text()) if entry]
    for node in (entry for entry in entries if entry["kind"] == "Node"):
        node["metadata"]["labels"]["kubernetes.io/hostname"] = node["metadata"]["name"]
        amounts = {"cpu": "192", "memory": "2000Gi", "pods": "110", GPU: "8"}
        ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "", "lastHeartbeatTime": None}
        node["status"] = {
            "capacity": amounts,
            "allocatable": amounts,
            "conditions": [{k: v for k, v in ready.items() if v is not None}],
        }
    return entries


@contextmanager
def kueue(plane: ControlPlane, folder: Path) -> Iterator[None]:
    """The real controller; its webhooks are not registered, so only schemas check objects."""
    for name in ("tls.crt", "tls.key"):
        (folder / name).write_bytes((plane.ca_file.parent / name.replace("tls", "apiserver")).read_bytes())
    (folder / "config.yaml").write_text(yaml.safe_dump({
        "apiVersion": "config.kueue.x-k8s.io/v1beta1", "kind": "Configuration",
        "health": {"healthProbeBindAddress": f"127.0.0.1:{free_port()}"},
        "metrics": {"bindAddress": f"127.0.0.1:{free_port()}"},
        "webhook": {"port": free_port(), "host": "127.0.0.1", "certDir": str(folder)},
        "leaderElection": {"leaderElect": False},
        "internalCertManagement": {"enable": True},
        "integrations": {"frameworks": ["batch/job", "jobset.x-k8s.io/jobset"]},
        "resources": {"excludeResourcePrefixes": ["cpu", "memory"]},
    }))  # fmt: skip
    (folder / "kubeconfig").write_text(plane.kubeconfig())
    env = {**os.environ, "KUBECONFIG": str(folder / "kubeconfig")}
    with process(
        ["kueue", f"--config={folder / 'config.yaml'}", "--feature-gates=VisibilityOnDemand=false"],
        folder / "kueue.log",
        env,
    ):
        yield


@pytest.fixture(scope="module")
def plane(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kueue")
    with ExitStack() as stack:
        plane = stack.enter_context(running(tmp_path_factory.mktemp("control-plane")))
        for name in ("kueue", "jobset"):
            plane.define(KUBERNETES / "crds" / name)
        plane.do("create", "--filename=-", feed=yaml.safe_dump_all(INSTALLED))
        plane.do("create", "--filename=-", feed=yaml.safe_dump_all(objects()))
        stack.enter_context(kueue(plane, folder))
        yield plane


@pytest.fixture
def kueue_log(plane, tmp_path_factory) -> Path:
    return next(tmp_path_factory.getbasetemp().glob("kueue*/kueue.log"))


def submit(plane: ControlPlane, name: str, tenant: str, queue: str, job_class: str, pods: int, topology: str) -> None:
    pod = {
        "metadata": {"annotations": {"kueue.x-k8s.io/podset-required-topology": topology}},
        "spec": {
            "restartPolicy": "Never",
            "containers": [{"name": "work", "image": "x", "resources": {"limits": {GPU: "8"}}}],
        },
    }
    labels = {QUEUE: queue, "kueue.x-k8s.io/priority-class": job_class}
    job = {
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": tenant, "labels": labels},
        "spec": {"suspend": True, "parallelism": pods, "completions": pods, "template": pod},
    }  # fmt: skip
    plane.do("create", "--filename=-", feed=yaml.safe_dump(job))


def workload(plane: ControlPlane, tenant: str, name: str) -> dict[str, Any]:
    listed = json.loads(plane.do("get", "workloads.kueue.x-k8s.io", f"--namespace={tenant}", "--output=json"))["items"]
    owned = [
        entry
        for entry in listed
        if any(owner["name"] == name for owner in entry["metadata"].get("ownerReferences", []))
    ]
    return owned[0] if owned else {}


def condition(entry: dict[str, Any], kind: str) -> dict[str, Any]:
    return next((c for c in entry.get("status", {}).get("conditions", []) if c["type"] == kind), {})


def admitted(plane: ControlPlane, tenant: str, name: str) -> bool:
    return condition(workload(plane, tenant, name), "Admitted").get("status") == "True"


def nodes_of(entry: dict[str, Any]) -> set[str]:
    (assignment,) = entry["status"]["admission"]["podSetAssignments"]
    return {domain["values"][-1] for domain in assignment["topologyAssignment"]["domains"]}


def annotations(plane: ControlPlane, job_class: str) -> dict[str, str]:
    entry = json.loads(plane.do("get", "workloadpriorityclass", job_class, "--output=json"))
    return dict(entry["metadata"]["annotations"])


def test_queues_are_active(plane):
    def active() -> bool:
        queues = json.loads(plane.do("get", "clusterqueues", "--output=json"))["items"]
        return len(queues) == 3 and all(condition(queue, "Active").get("status") == "True" for queue in queues)

    until(active)


def test_gangs_go_into_one_rail_group_each_and_the_third_waits(plane):
    topology = annotations(plane, "gang")["rackwright.io/required-topology"]
    assert annotations(plane, "gang")["rackwright.io/queues"] == "alpha/guaranteed,beta/guaranteed"
    submit(plane, "first", "alpha", "guaranteed", "gang", 8, topology)
    until(lambda: admitted(plane, "alpha", "first"))
    submit(plane, "second", "beta", "guaranteed", "gang", 8, topology)
    until(lambda: admitted(plane, "beta", "second"))
    labels = {
        node["metadata"]["name"]: node["metadata"]["labels"]
        for node in json.loads(plane.do("get", "nodes", "--output=json"))["items"]
    }
    groups = []
    for tenant, name in (("alpha", "first"), ("beta", "second")):
        nodes = nodes_of(workload(plane, tenant, name))
        assert len(nodes) == 8
        groups.append({labels[node][topology] for node in nodes})
    assert [len(group) for group in groups] == [1, 1]
    assert groups[0] != groups[1]
    submit(plane, "third", "beta", "guaranteed", "gang", 8, topology)
    until(lambda: condition(workload(plane, "beta", "third"), "QuotaReserved").get("status") == "False")
    assert "insufficient" in condition(workload(plane, "beta", "third"), "QuotaReserved")["message"]
    for tenant, name in (("alpha", "first"), ("beta", "third"), ("beta", "second")):
        plane.do("delete", "job", name, f"--namespace={tenant}", "--cascade=background", "--wait=false")
        plane.do("delete", "workloads.kueue.x-k8s.io", "--all", f"--namespace={tenant}", "--wait=false")


def test_preemptible_jobs_borrow_and_give_back(plane):
    topology = annotations(plane, "spot")["rackwright.io/required-topology"]
    names = ["spot-1", "spot-2"]
    for name in names:
        submit(plane, name, "alpha", "preemptible", "spot", 8, topology)
        until(lambda name=name: admitted(plane, "alpha", name))
    submit(plane, "owner", "beta", "guaranteed", "gang", 8, topology)
    until(lambda: admitted(plane, "beta", "owner"))
    evicted = [condition(workload(plane, "alpha", name), "Preempted") for name in names]
    (why,) = [entry for entry in evicted if entry.get("status") == "True"]
    assert why["reason"] == "InCohortReclamation"
    assert sum(admitted(plane, "alpha", name) for name in names) == 1
    plane.do("delete", "job", "owner", "--namespace=beta", "--cascade=background", "--wait=false")
    plane.do("delete", "workloads.kueue.x-k8s.io", "--all", "--namespace=beta", "--wait=false")
    until(lambda: all(admitted(plane, "alpha", name) for name in names))


def test_a_higher_class_takes_the_place_of_a_lower_one_and_gives_it_back(plane):
    topology, names = annotations(plane, "soon")["rackwright.io/required-topology"], ["spot-1", "spot-2"]
    submit(plane, "soon", "alpha", "preemptible", "soon", 8, topology)
    until(lambda: admitted(plane, "alpha", "soon"))
    evicted = [condition(workload(plane, "alpha", name), "Preempted") for name in names]
    assert [entry["reason"] for entry in evicted if entry.get("status") == "True"] == ["InClusterQueue"]
    assert sum(admitted(plane, "alpha", name) for name in names) == 1
    plane.do("delete", "job", "soon", "--namespace=alpha", "--cascade=background", "--wait=false")
    soon = workload(plane, "alpha", "soon")["metadata"]["name"]
    plane.do("delete", "workloads.kueue.x-k8s.io", soon, "--namespace=alpha", "--wait=false")
    until(lambda: all(admitted(plane, "alpha", name) for name in names))


def submit_set(plane: ControlPlane, name: str, job_class: str) -> None:
    """A JobSet of beta, whose pods have a class; nobody runs it."""
    pods = {"restartPolicy": "Never", "priorityClassName": job_class, "containers": [{"name": "work", "image": "x"}]}
    replicated = {"name": "a", "template": {"spec": {"parallelism": 1, "completions": 1, "template": {"spec": pods}}}}
    entry = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
        "metadata": {"name": name, "namespace": "beta", "labels": {QUEUE: "guaranteed"}},
        "spec": {"suspend": True, "replicatedJobs": [replicated]},
    }  # fmt: skip
    plane.do("create", "--filename=-", feed=yaml.safe_dump(entry))


def test_the_pods_of_a_set_of_jobs_enter_no_queue_with_a_class_of_others(plane, kueue_log):
    submit_set(plane, "foreign", "spot")
    until(lambda: "the class of this job or of its pods is one of other tenants" in kueue_log.read_text())
    submit_set(plane, "own", "gang")
    until(lambda: workload(plane, "beta", "own"))
    assert workload(plane, "beta", "own")["spec"]["priorityClassName"] == "gang"
    assert not workload(plane, "beta", "foreign")
