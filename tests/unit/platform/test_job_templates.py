"""Jobs of classes for operators: what Kueue reads of them, and how many pods of how many accelerators they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from rackwright import catalog, design, export
from rackwright.base import yaml_text
from rackwright.compat import kubernetes_lock
from rackwright.export import ExportRequest
from rackwright.model.site import Site
from rackwright.spec.crosscheck import kubernetes as crosscheck

CLASSES: list[dict[str, Any]] = [
    {"name": "gang", "kind": "training", "priority": 500, "gang": True, "minimum": 64, "domain": "rail-group"},
    {"name": "small", "kind": "batch-inference", "priority": 100, "preemptible": True, "minimum": 2},
    {"name": "chat", "kind": "online-inference", "priority": 900, "minimum": 8},
]
TENANTS = [{"name": "alpha", "quota": [{"accelerator": "mi300x", "accelerators": 64, "borrow": 64}]}]


def site(*addons: str) -> Site:
    data = yaml_text.load((Path(__file__).parents[3] / "inventories" / "mi300x-pod" / "site.yaml").read_text())
    by_name = kubernetes_lock.load().by_name()
    data["control"]["kubernetes"]["addons"] = {name: {"version": by_name[name].version} for name in addons}
    return Site.model_validate(data | {"workloads": [], "tenants": TENANTS, "classes": CLASSES})


@cache
def jobs(*addons: str) -> dict[str, dict[str, Any]]:
    expanded = design.expand(site(*addons), catalog.load())
    files = export.export(expanded, "kubernetes", ExportRequest(resources={"mi300x": "amd.com/gpu"}))
    return {file.name: yaml_text.load(file.text()) for file in files if file.name.startswith("jobs/")}


def both() -> dict[str, dict[str, Any]]:
    return jobs("kueue", "kuberay", "training-operator")


def test_every_class_whose_jobs_end_has_a_job_of_each_operator():
    names = [f"jobs/{name}-{kind}.yaml" for kind in ("rayjob", "pytorchjob") for name in ("gang", "small")]
    assert list(both()) == names
    assert jobs("kueue") == {}


def test_kueue_decides_when_a_job_starts_and_gives_all_of_its_pods_one_place():
    for name, job in both().items():
        kind, spec = job["kind"], job["spec"]
        assert (spec if kind == "RayJob" else spec["runPolicy"])["suspend"] is True
        labels = job["metadata"]["labels"]
        queue = "guaranteed" if "gang" in name else "preemptible"
        assert (job["metadata"]["namespace"], labels["kueue.x-k8s.io/queue-name"]) == ("alpha", queue)
        assert labels["kueue.x-k8s.io/priority-class"] == job["metadata"]["name"]
        workers, count = workers_of(job)
        annotations = workers.get("metadata", {}).get("annotations", {})
        required = {"kueue.x-k8s.io/podset-required-topology": "fabric.topograph.run/tier-0"} if "gang" in name else {}
        assert annotations == required
        (container,) = workers["spec"]["containers"]
        size, devices = (8, "8") if "gang" in name else (1, "2")
        assert (count, container["resources"]["limits"]) == (size, {"amd.com/gpu": devices})


def workers_of(job: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Template and number of the pods that compute; nothing lets the number change while the job runs."""
    if job["kind"] == "RayJob":
        (group,) = job["spec"]["rayClusterSpec"]["workerGroupSpecs"]
        assert group["minReplicas"] == group["maxReplicas"] == group["replicas"]
        return group["template"], group["replicas"]
    workers, elastic = job["spec"]["pytorchReplicaSpecs"]["Worker"], job["spec"]["elasticPolicy"]
    assert elastic["minReplicas"] == elastic["maxReplicas"] == workers["replicas"]
    return workers["template"], workers["replicas"]


def test_a_job_of_ray_has_what_kueue_asks_of_it():
    spec = both()["jobs/gang-rayjob.yaml"]["spec"]
    assert spec["shutdownAfterJobFinishes"] is True
    assert "enableInTreeAutoscaling" not in spec["rayClusterSpec"]


def test_check_refuses_jobs_that_the_queues_of_the_site_would_break():
    (problem,) = crosscheck.check(site("kueue", "kubeflow-trainer"), catalog.load())
    assert (problem.code, problem.path) == ("spec.not_beside", "control.kubernetes.addons.kubeflow-trainer")
    assert "podSpecOverrides" in problem.message
    assert list(crosscheck.check(site("kubeflow-trainer"), catalog.load())) == []
    alone = site("kueue", "kubeflow-trainer").model_copy(update={"tenants": [], "classes": []})
    assert list(crosscheck.check(alone, catalog.load())) == []
