"""No job of a tenant enters a queue with the priority of a class of others, on a real API server; tests/kubernetes/test_kueue.py has a real Kueue."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from rackwright import design, spec
from rackwright.platform import class_guard, workload_guard
from tests.kubernetes.control_plane import ControlPlane
from tests.kubernetes.test_objects import ROOT
from tests.patience import until

pytestmark = [pytest.mark.kubernetes, pytest.mark.kubectl, pytest.mark.xdist_group("kubernetes")]
FOREIGN = {class_guard.PRIORITY_CLASS: "chat"}
"""Of product, in the example."""


def entry(space: str, labels: dict[str, str], priority: str = "", *, kind: str = "Job") -> dict[str, Any]:
    pods = {"containers": [{"name": "x", "image": "x"}], "restartPolicy": "Never"}
    pods |= {"priorityClassName": priority} if priority else {}
    job = {"template": {"spec": pods}}
    api = {"Job": "batch/v1", "JobSet": "jobset.x-k8s.io/v1alpha2", "ConfigMap": "v1"}[kind]
    specs = {"Job": {"spec": job}, "JobSet": {"spec": {"replicatedJobs": [{"name": "a", "template": {"spec": job}}]}}}
    return {
        "apiVersion": api,
        "kind": kind,
        "metadata": {"name": "x", "namespace": space, "labels": labels},
        **specs.get(kind, {}),
    }


def workload(space: str, name: str, pods: str = "") -> dict[str, Any]:
    """As Kueue makes it of a job of any kind whose class is `name`."""
    template = {"spec": {"containers": [{"name": "x", "image": "x"}], "restartPolicy": "Never"}}
    named = {
        "priority": 1,
        "priorityClassName": name,
        "priorityClassSource": pods or "kueue.x-k8s.io/workloadpriorityclass",
    }
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta1",
        "kind": "Workload",
        "metadata": {"name": "x", "namespace": space},
        "spec": {"podSets": [{"name": "main", "count": 1, "template": template}], **(named if name else {})},
    }


def refusal(plane: ControlPlane, document: dict[str, Any]) -> str:
    return plane.kubectl("create", "--dry-run=server", "--filename=-", feed=json.dumps(document)).stderr


@pytest.fixture(scope="module")
def guarded(plane: ControlPlane):
    loaded = spec.load(ROOT / "inventories" / "mixed-pod" / "site.yaml")
    planned = design.expand(loaded.site, loaded.catalog)
    objects = class_guard.objects(planned) + workload_guard.objects(planned)
    for name in ("research", "product"):
        labels = {"rackwright.io/tenant": name}
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
        plane.do("apply", "--server-side", "--force-conflicts", "--filename=-", feed=yaml.safe_dump(space))
    plane.do("apply", "--server-side", "--validate=strict", "--filename=-", feed=yaml.safe_dump_all(objects))
    for document in (entry("research", FOREIGN), workload("research", "chat")):
        until(lambda document=document: refusal(plane, document) != "")  # it counts some time after it is there
    yield
    plane.do("delete", "--filename=-", feed=yaml.safe_dump_all(objects))


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (entry("research", FOREIGN), "the label kueue.x-k8s.io/priority-class names a class of other tenants"),
        (entry("research", FOREIGN, kind="JobSet"), "names a class of other tenants"),
        (entry("research", {}, "chat"), "the class of its pods is one of other tenants or of the system"),
        (entry("research", {}, "system-node-critical"), "the class of its pods is one of other tenants"),
        (entry("product", {class_guard.PRIORITY_CLASS: "system-node-critical"}), "names a class of other tenants"),
        (entry("research", {class_guard.PRIORITY_CLASS: "fine-tune"}, "fine-tune"), ""),
        (entry("product", FOREIGN, "chat"), ""),
        (entry("product", {"x": "y"}, kind="ConfigMap"), ""),
        (entry("default", FOREIGN, "chat"), ""),
        (workload("research", "chat"), "the class of this job or of its pods is one of other tenants"),
        (workload("research", "chat", "scheduling.k8s.io/priorityclass"), "the class of this job or of its pods"),
        (workload("product", "system-node-critical", "scheduling.k8s.io/priorityclass"), "or of the system"),
        (workload("research", "fine-tune"), ""),
        (workload("research", ""), ""),
        (workload("product", "chat"), ""),
        (workload("default", "chat"), ""),
    ],
)
def test_a_class_of_others_is_refused_and_an_own_one_is_taken(plane, guarded, document, words):
    answer = refusal(plane, document)
    assert words in answer
    assert bool(answer) is bool(words), answer


def test_a_job_that_is_there_does_not_change_to_a_class_of_others(plane, guarded):
    plane.do("create", "--filename=-", feed=json.dumps(entry("research", {})))
    changed = plane.kubectl("label", "job", "x", "--namespace=research", f"{class_guard.PRIORITY_CLASS}=chat")
    assert "names a class of other tenants" in changed.stderr
    plane.do("delete", "job", "x", "--namespace=research", "--cascade=background", "--wait=false")


def test_a_job_that_came_before_its_class_was_for_others_may_still_change(plane, guarded):
    label = ("label", "--overwrite", "namespace", "research")
    plane.do(*label, "rackwright.io/tenant-")
    until(lambda: refusal(plane, entry("research", FOREIGN, "chat")) == "")
    plane.do("create", "--filename=-", feed=json.dumps(entry("research", FOREIGN, "chat")))
    plane.do(*label, "rackwright.io/tenant=research")
    until(lambda: refusal(plane, entry("research", FOREIGN)) != "")
    plane.do("annotate", "job", "x", "--namespace=research", "team=nlp")
    plane.do("delete", "job", "x", "--namespace=research", "--cascade=background", "--wait=false")
