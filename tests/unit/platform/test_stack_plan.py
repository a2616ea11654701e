from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from rackwright import catalog, design, export
from rackwright.base import yaml_text
from rackwright.base.errors import UsageError
from rackwright.export import ExportRequest
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.platform.stack_plan import StackPlan, plan

ROOT = Path(__file__).parents[3]
RESOURCES = {"h100-sxm": "nvidia.com/gpu", "mi300x": "amd.com/gpu"}


def expanded(name: str) -> Design:
    data = yaml_text.load((ROOT / "inventories" / name / "site.yaml").read_text())
    return design.expand(Site.model_validate(data), catalog.load())


@pytest.fixture(scope="module")
def mixed() -> Design:
    return expanded("mixed-pod")


@pytest.fixture(scope="module")
def planned(mixed: Design) -> StackPlan:
    return plan(mixed, RESOURCES)


def test_the_stack_applies_what_the_export_writes(mixed: Design, planned: StackPlan) -> None:
    files = export.export(mixed, "kubernetes", ExportRequest(resources=RESOURCES))
    objects = (file for file in files if "/" not in file.name)  # values of charts are none
    written = [entry for file in objects for entry in yaml.safe_load_all(file.text()) if entry]
    assert [entry for part in planned.parts for entry in part.objects] == written


def test_a_part_comes_after_those_that_it_names(planned: StackPlan) -> None:
    names = [part.name for part in planned.parts]
    for at, part in enumerate(planned.parts):
        assert set(part.needs) <= set(names[:at])
    assert dict(zip(names, planned.parts, strict=True))["queues"].needs == ("topology", "tenants")


def test_a_node_has_one_patch_with_the_labels_of_every_component() -> None:
    data = yaml_text.load((ROOT / "inventories" / "ascend-pod" / "site.yaml").read_text())
    data["control"]["kubernetes"]["addons"] = {"mindcluster": {"version": "26.1"}}
    ascend = design.expand(Site.model_validate(data), catalog.load())
    nodes = plan(ascend, dict.fromkeys(ascend.accelerators, "huawei.com/Ascend910")).nodes()
    assert len(nodes) == len({entry["metadata"]["name"] for entry in nodes}) > 0
    assert all({"workerselector", "topology.kubernetes.io/zone"} <= set(entry["metadata"]["labels"]) for entry in nodes)


def test_what_is_ours_is_put_right_and_what_belongs_to_a_kubelet_is_not(planned: StackPlan) -> None:
    node, namespace = planned.nodes()[0], planned.objects()[0]
    assert planned.applied(node)["metadata"]["annotations"] == {"pulumi.com/patchFieldManager": "rackwright-mixed-pod"}
    assert planned.applied(namespace)["metadata"]["annotations"]["pulumi.com/patchForce"] == "true"
    assert "annotations" not in namespace["metadata"], "what the export writes is left alone"


def test_queues_wait_for_the_pools_where_the_site_names_a_server(mixed: Design, planned: StackPlan) -> None:
    assert planned.accepted == ()
    acceptance = mixed.site.acceptance.model_copy(update={"server": "https://gate.example"})
    served = replace(mixed, site=mixed.site.model_copy(update={"acceptance": acceptance}))
    (subject,) = plan(served, RESOURCES).accepted
    assert (subject.kind, subject.name, subject.server) == ("pool", "serve", "https://gate.example")
    assert plan(served, RESOURCES, ()).accepted == (), "what the caller says counts"


def test_of_a_pool_of_two_schedulers_queues_wait_for_the_nodes_of_kubernetes_alone() -> None:
    data = yaml_text.load((ROOT / "inventories" / "mixed-pod" / "site.yaml").read_text())
    data["acceptance"] = {"server": "https://gate.example"}
    data["pools"][0]["schedulers"] = {"kubernetes": ["train-[001-002]"]}
    divided = design.expand(Site.model_validate(data), catalog.load())
    waited = [(subject.kind, subject.name) for subject in plan(divided, RESOURCES).accepted]
    assert waited == [("part", "train-kubernetes"), ("pool", "serve")]


def test_a_site_of_slurm_has_no_platform() -> None:
    with pytest.raises(UsageError, match="no pool of h100-pod has scheduler kubernetes"):
        plan(expanded("h100-pod"), RESOURCES)
