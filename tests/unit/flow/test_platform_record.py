"""What the report says of the platform: components, queues, tenants, out of the objects of the stack."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.base.errors import OutsideError
from rackwright.base.workspace import Workspace
from rackwright.flow import platform_record, schedulers
from rackwright.model.platform_record import PlatformRecord
from rackwright.model.resource import AcceptedSubject
from rackwright.platform.stack_plan import plan
from rackwright.provision.result import PlatformResult, ResourceResult

SITE = Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml"


@pytest.fixture(scope="module")
def record() -> PlatformRecord:
    loaded = spec.load(SITE)
    planned = design.expand(loaded.site, loaded.catalog)
    waited = AcceptedSubject(kind="pool", name="serve", server="https://gate.example")
    stack = plan(planned, schedulers.kubernetes_resources(planned), [waited])
    objects = {str(n): ResourceResult(str(n), "created") for n in range(len(stack.objects()))}
    result = PlatformResult("up", "mixed-pod", "1.34.2", objects, ("serve-007", "serve-008"), (), 1.0)
    return platform_record.platform_record(planned, stack, result, "run")


def test_what_is_served_at_which_release(record: PlatformRecord) -> None:
    components = {component.name: component for component in record.components}
    assert set(components) == {"Kubernetes", "kueue", "calico"}
    assert components["kueue"].version == "0.14.0"
    assert "ClusterQueue kueue.x-k8s.io/v1beta1" in components["kueue"].serves
    assert (components["calico"].version, components["calico"].serves) == ("3.30.4", [])
    assert record.waited_for == ["pool serve"]
    assert [len(record.nodes), record.nodes[0]] == [6, "serve-001"]


def test_queues_with_their_quota_and_the_classes_that_they_take(record: PlatformRecord) -> None:
    queues = {queue.name: queue for queue in record.queues}
    assert queues["product/chat"].takes == ["chat"]
    assert queues["product/chat"].quota == "16 amd.com/gpu of serve-chat"
    assert queues["product/preemptible"].quota == "24 amd.com/gpu of serve, up to 8 more borrowed"
    assert set(queues["research/preemptible"].takes) == {"fine-tune", "batch"}


def test_who_may_run_what(record: PlatformRecord) -> None:
    tenants = {tenant.name: tenant for tenant in record.tenants}
    assert tenants["product"].members == ["user release-bot", "group product"]
    assert tenants["product"].most == {"amd.com/gpu": "48", "nvidia.com/gpu": "0"}
    assert tenants["product"].classes == ["fine-tune", "chat", "batch"]
    assert tenants["research"].classes == ["fine-tune", "batch"]
    assert {tenant.role for tenant in record.tenants} == {"edit"}


def test_it_is_kept_until_the_report_is_written(record: PlatformRecord, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    assert platform_record.load(workspace) is None
    platform_record.store(workspace, record)
    assert platform_record.load(workspace) == record
    (tmp_path / platform_record.FILE).write_text("{}")
    with pytest.raises(
        OutsideError, match=r"platform.json cannot be read .* run `rackwright up SITE --stack platform` again"
    ):
        platform_record.load(workspace)
