"""Which queue reaches an accepted node: that of a tenant with a quota of the part that the node is in."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.flow import schedulers, tenant_jobs
from rackwright.flow.tenant_queues import OpenQueue, open_queue
from rackwright.model.platform_record import PlatformTenant
from rackwright.model.site import Site
from rackwright.platform import stack_plan

SITE = Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml"
GPU = "amd.com/gpu"


@pytest.fixture(scope="module")
def expanded():
    return design.expand(Site.model_validate(yaml_text.load(SITE.read_text())), catalog.load())


@pytest.fixture(scope="module")
def plan(expanded):
    return stack_plan.plan(expanded, schedulers.kubernetes_resources(expanded), [])


@pytest.mark.parametrize(
    ("tenant", "accepted", "queue"),
    [
        ("research", ["serve-003"], ("preemptible", 32, "fine-tune")),
        ("product", ["serve-003"], ("preemptible", 32, "fine-tune")),
        ("product", ["serve-001"], ("chat", 16, "chat")),
        ("product", ["serve-001", "serve-003"], ("preemptible", 32, "fine-tune")),
    ],
)
def test_the_queue_with_a_quota_of_an_accepted_node(plan, tenant, accepted, queue):
    reached = open_queue(plan, accepted, tenant, GPU)
    assert reached is not None
    assert (reached.name, reached.most, reached.job_class) == queue


def test_the_lane_of_another_tenant_and_other_resources_have_none(plan):
    assert open_queue(plan, ["serve-001"], "research", GPU) is None
    assert open_queue(plan, ["serve-003"], "research", "nvidia.com/gpu") is None
    assert open_queue(plan, [], "research", GPU) is None


def test_a_tenant_without_a_queue_there_runs_no_job_and_without_kueue_each_runs_one(plan, expanded):
    record = PlatformTenant(name="research", members=[], role="", most={GPU: "32"})
    (queued,) = tenant_jobs.required(expanded, [record], {GPU: 8}, lambda *_: None)
    (free,) = tenant_jobs.required(expanded, [record], {GPU: 8}, None)
    assert (queued.runs, free.runs, free.queue) == (False, True, None)


def test_a_job_for_a_queue_names_it_its_class_and_the_topology():
    queue = OpenQueue("preemptible", 32, "batch", "kubernetes.io/hostname")
    job = tenant_jobs.job(8, GPU, "busybox", queue, pods=6)
    assert job["metadata"]["labels"] == {
        "kueue.x-k8s.io/queue-name": "preemptible",
        "kueue.x-k8s.io/priority-class": "batch",
    }
    template = job["spec"]["template"]
    assert template["metadata"]["annotations"] == {"kueue.x-k8s.io/podset-required-topology": "kubernetes.io/hostname"}
    assert job["spec"]["parallelism"] == job["spec"]["completions"] == 6
    assert "labels" not in tenant_jobs.job(8, GPU, "busybox")["metadata"]
