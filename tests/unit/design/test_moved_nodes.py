"""Nodes of a pool that have another scheduler than it: one answer for each node, which everything that asks for the scheduler follows."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from rackwright import catalog, collect, design, export, gate
from rackwright.base import yaml_text
from rackwright.export import ExportRequest
from rackwright.flow.acceptance_board import subject_members
from rackwright.judge.expect import tenants_of_pools
from rackwright.locality import gangs, shared_domains
from rackwright.model.capacity import of_quota, parts
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.onboard.slurm import slurm_variables
from rackwright.platform.stack_plan import plan
from rackwright.platform.tenants import most_by_tenant
from rackwright.spec.crosscheck import classes, kubernetes, policies, schedulers, tenants

ROOT = Path(__file__).parents[3]
CATALOG = catalog.load()
MOVED = ["train-007", "train-008"]
RESOURCES = {"h100-sxm": "nvidia.com/gpu", "mi300x": "amd.com/gpu"}
CHECKS = (classes, kubernetes, policies, schedulers, tenants)


def data(moved: Any = ("train-[007-008]",), quota: dict[str, Any] | None = None) -> dict[str, Any]:
    """The site of two schedulers, with nodes of Slurm's pool under Kubernetes; what tenants have there shrinks with it."""
    site: dict[str, Any] = yaml_text.load((ROOT / "inventories" / "mixed-pod" / "site.yaml").read_text())
    if moved:
        site["pools"][0]["schedulers"] = {"kubernetes": list(moved)}
        site["tenants"][0]["quota"][0] |= {"accelerators": 32, "borrow": 0}
        site["classes"][0] |= {"maximum": 32, "shapes": [{"tensor": 8, "data": 2}]}
        site["tenants"][0]["quota"].append(
            {"accelerator": "h100-sxm", "scheduler": "kubernetes", "accelerators": 16} | (quota or {})
        )
    return copy.deepcopy(site)


def expanded(site: dict[str, Any]) -> Design:
    return design.expand(Site.model_validate(site), CATALOG)


@pytest.fixture(scope="module")
def moved() -> Design:
    return expanded(data())


@pytest.fixture(scope="module")
def unmoved() -> Design:
    return expanded(data(moved=()))


def test_the_checks_of_the_site_accept_it(moved: Design) -> None:
    assert [problem for check in CHECKS for problem in check.check(moved.site, CATALOG)] == []
    assert gangs.problems(moved) == []


def test_each_node_has_one_scheduler_and_nothing_else_of_it_changes(moved: Design, unmoved: Design) -> None:
    assert [
        node.name for node in moved.nodes("accelerator") if node.pool == "train" and node.scheduler == "kubernetes"
    ] == MOVED
    assert moved.node_table.drop("scheduler").equals(unmoved.node_table.drop("scheduler"))
    assert moved.cables.equals(unmoved.cables)


def test_evidence_of_a_moved_node_is_that_of_another_design(moved: Design, unmoved: Design) -> None:
    def digests(of: Design) -> dict[str, str]:
        return {node.name: collect.node_digest(node) for node in of.nodes()}

    before, after = digests(unmoved), digests(moved)
    assert [name for name in before if before[name] != after[name]] == MOVED


def test_slurm_has_the_rest_and_kubernetes_the_moved_nodes(moved: Design) -> None:
    facts = slurm_variables(moved, Path("munge.key"))
    assert [entry["hosts"] for entry in facts["slurm_config_sets"]] == ["train-[001-006]"]
    assert {entry["name"]: entry["hosts"] for entry in facts["slurm_config_partitions"]} == {"train": "train-[001-006]"}
    topology = next(file for file in export.export(moved, "slurm", ExportRequest()) if file.name == "topology.conf")
    assert "train-[001-006]" in topology.text()
    assert "train-007" not in topology.text()
    labelled = {entry["metadata"]["name"]: entry["metadata"]["labels"] for entry in plan(moved, RESOURCES).nodes()}
    assert [name for name in labelled if name.startswith("train")] == MOVED
    assert labelled["train-007"]["rackwright.io/part"] == "train-kubernetes"


def test_the_queues_of_kubernetes_have_what_was_moved_and_accounts_of_slurm_the_rest(moved: Design) -> None:
    objects = {(entry["kind"], entry["metadata"]["name"]): entry for entry in plan(moved, RESOURCES).objects()}
    assert ("ResourceFlavor", "train-kubernetes") in objects
    assert ("Topology", "train") in objects
    most = most_by_tenant(plan(moved, RESOURCES).objects())
    assert (most["research"]["nvidia.com/gpu"], most["product"]["nvidia.com/gpu"]) == ("16", "0")
    script = next(file for file in export.export(moved, "slurm", ExportRequest()) if file.name == "accounts.sh").text()
    assert "grptres=gres/gpu:h100=32" in script


def test_capacity_is_shared_out_scheduler_by_scheduler(moved: Design) -> None:
    every = parts(moved.site, moved.servers, moved.accelerators)
    counts = {part.name: (part.scheduler, part.nodes, part.available) for part in every if part.pool == "train"}
    assert counts == {"train": ("slurm", 6, 40), "train-kubernetes": ("kubernetes", 2, 16)}
    quotas = moved.site.tenants[0].quota
    assert [part.name for quota in (quotas[0], quotas[-1]) for part in of_quota(quota, every)] == [
        "train",
        "train-kubernetes",
    ]
    assert tenants_of_pools(moved)["train", "kubernetes"] == ("research",)


def test_gates_open_for_the_nodes_that_each_scheduler_has(moved: Design, unmoved: Design) -> None:
    nodes = [f"train-{number:03d}" for number in range(1, 9)]
    groups = {"train": nodes, "train-slurm": nodes[:6], "train-kubernetes": nodes[6:]}
    assert gate.node_groups(moved, nodes)["cluster"] == groups
    assert gate.node_groups(unmoved, nodes)["cluster"] == {"train": nodes}
    members = subject_members(moved, nodes)
    assert (list(members["pool"]), list(members["part"])) == (["train"], ["train-slurm", "train-kubernetes"])
    assert subject_members(unmoved, nodes)["part"] == {}


def test_a_gang_that_needs_the_moved_nodes_no_longer_fits() -> None:
    site = data()
    site["classes"][0] |= {"minimum": 56, "maximum": 56, "shapes": []}
    [problem] = gangs.problems(expanded(site))
    assert problem.path == "classes[0].minimum"
    assert "train (6 nodes of 8), train-kubernetes (2 nodes of 8)" in problem.found


REFUSED = [
    (["train-009"], {}, "pools[0].schedulers.kubernetes", "unknown_node"),
    (["train-[001-99999]"], {}, "pools[0].schedulers.kubernetes", "unknown_node"),
    (["train-007", "train-[007-008]"], {}, "pools[0].schedulers.kubernetes", "node_twice"),
    (["train-[001-008]"], {}, "pools[0].schedulers", "no_node_left"),
    (["train-007"], {"accelerators": 9}, "tenants[0].quota[2].accelerators", "quota_above_capacity"),
    (
        ["train-007"],
        {"accelerators": 8, "scheduler": "slurm", "accelerator": "mi300x"},
        "tenants[0].quota[2].scheduler",
        "other_scheduler",
    ),
]


def test_no_pool_is_called_as_the_nodes_that_a_scheduler_has_of_another() -> None:
    site = data(["train-007"])
    site["pools"][1]["name"] = "train-kubernetes"
    reported = [
        problem for problem in schedulers.check(Site.model_validate(site), CATALOG) if problem.path.startswith("pools")
    ]
    (problem,) = [problem for problem in reported if problem.code == "spec.reserved_name"]
    assert (problem.path, problem.found) == ("pools[0].schedulers", "a pool train-kubernetes")


@pytest.mark.parametrize(("names", "quota", "path", "code"), REFUSED)
def test_what_cannot_be_is_refused_where_it_stands(names, quota, path, code):
    site = Site.model_validate(data(names, quota))
    reported = [(problem.path, problem.code) for check in CHECKS for problem in check.check(site, CATALOG)]
    assert (path, f"spec.{code}") in reported


def test_a_scheduler_without_control_plane_and_one_that_the_pool_has_are_refused():
    site = data()
    del site["control"]["kubernetes"]
    codes = [problem.code for problem in schedulers.check(Site.model_validate(site), CATALOG)]
    assert codes == ["spec.no_scheduler"]
    site = data()
    site["pools"][0]["schedulers"] = {"slurm": ["train-001"]}
    assert [problem.code for problem in schedulers.check(Site.model_validate(site), CATALOG)] == ["spec.of_no_use"]


def test_trays_that_nvlink_joins_keep_one_scheduler():
    site = yaml_text.load((ROOT / "inventories" / "gb200-pod" / "site.yaml").read_text())
    pool = site["pools"][0]
    scheduler = "kubernetes" if pool["scheduler"] == "slurm" else "slurm"
    first, tray = f"{pool['name']}-001", f"{pool['name']}-[001-{pool['servers_per_rack']:03d}]"
    pool["schedulers"] = {scheduler: [tray]}
    assert shared_domains.problems(expanded(site)) == []
    pool["schedulers"] = {scheduler: [first]}
    [problem] = shared_domains.problems(expanded(site))
    assert (problem.path, problem.code) == ("pools[0].schedulers", "design.shared_domain")
