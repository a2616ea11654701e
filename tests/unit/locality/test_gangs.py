"""Jobs that a design has room for, and those for which it has none."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from rackwright.locality import gangs
from rackwright.locality.places import DOMAINS, places
from rackwright.model.design import Design
from rackwright.model.site import Site
from tests.unit.export.conftest import domains, three_tiers


def with_classes(design: Design, *jobs: dict[str, Any], **more: Any) -> Design:
    """The design with classes of jobs: they change nothing else in it."""
    data = copy.deepcopy(design.site.model_dump(mode="python"))
    fields = {"name": "job", "kind": "training", "priority": 1, "gang": True}
    data["classes"] = [fields | {"name": f"job-{i}"} | job for i, job in enumerate(jobs)]
    return replace(design, site=Site.model_validate(data | more))


ROOM = [
    (domains, "gb", "node", 4),
    (domains, "gb", "nvlink-domain", 72),
    (domains, "gb", "rack", 72),
    (domains, "gb", "scalable-unit", 80),
    (domains, "gb", "hall", 80),
    (domains, "srv", "nvlink-domain", 4),
    (three_tiers, "train", "node", 8),
    (three_tiers, "train", "rack", 32),
    (three_tiers, "train", "scalable-unit", 256),
    (three_tiers, "train", "fabric", 1024),
]


@pytest.mark.parametrize(("design", "pool", "domain", "most"), ROOM)
def test_the_largest_job_of_a_domain(design, pool, domain, most):
    per_node = most if domain == "node" else 1
    fits = {"pools": [pool], "domain": domain, "minimum": most}
    assert gangs.problems(with_classes(design(), fits)) == []
    (problem,) = gangs.problems(with_classes(design(), fits | {"minimum": most + per_node}))
    assert problem.path == "classes[0].minimum"
    assert f"the largest {domain} takes {most}" in problem.found


def test_a_rail_group_is_what_shares_leaves():
    design = three_tiers()
    groups = places(design).group_by("rail-group").len()["len"]
    most = int(groups.max()) * 8  # type: ignore[arg-type]
    assert most < 1024
    assert gangs.problems(with_classes(design, {"domain": "rail-group", "minimum": most})) == []
    (problem,) = gangs.problems(with_classes(design, {"domain": "rail-group", "minimum": most + 1}))
    assert "for domain scalable-unit, which has room" in problem.next_step or "for domain fabric" in problem.next_step


def test_groups_of_tensor_parallel_ranks_stay_where_nvlink_joins_them():
    def shaped(**degrees: int) -> list[str]:
        size = degrees["tensor"] * degrees.get("data", 1)
        job = {"pools": ["gb"], "shapes": [degrees], "minimum": size}
        return [problem.path for problem in gangs.problems(with_classes(domains(), job))]

    assert shaped(tensor=8, data=10) == []  # 9 in the full rack, 1 over two nodes of the other
    assert shaped(tensor=8, data=11) == ["classes[0].shapes[0]"]
    assert shaped(tensor=72) == []
    assert shaped(tensor=73) == ["classes[0].shapes[0]"]


def test_a_tensor_group_wider_than_any_node_says_so():
    job = {"shapes": [{"tensor": 16}], "minimum": 16}
    (problem,) = gangs.problems(with_classes(three_tiers(), job | {"pools": ["train"]}))
    assert problem.next_step == "lower the tensor degree"


def test_a_lane_is_all_that_its_classes_have():
    lane = {"name": "fast", "pool": "train", "nodes": 2, "classes": ["job-0"]}
    design = with_classes(
        three_tiers(), {"minimum": 17}, {"minimum": 1008}, {"minimum": 1009}, policies={"lanes": [lane]}
    )
    assert [problem.path for problem in gangs.problems(design)] == ["classes[0].minimum", "classes[2].minimum"]


def test_domains_are_ordered_as_they_nest():
    for design in (domains(), three_tiers()):
        nodes = places(design)
        sizes = [nodes.group_by("pool", domain).len()["len"].max() for domain in DOMAINS if domain != "rack"]
        assert sizes == sorted(sizes)  # type: ignore[type-var]


def test_what_is_stranded():
    tenant = {"name": "a", "quota": [{"accelerator": "h100-sxm", "accelerators": 1000}]}
    design = with_classes(three_tiers(), tenants=[tenant])
    assert [str(entry) for entry in gangs.stranded(design)] == ["24 accelerators of train: in no quota"]
    elsewhere = with_classes(domains(), {"pools": ["gb"], "minimum": 1}, tenants=[
        {"name": "a", "quota": [{"accelerator": "l40s", "accelerators": 12}, {"accelerator": "gb200", "accelerators": 80}]}
    ])  # fmt: skip
    assert [(entry.part, entry.accelerators, entry.why) for entry in gangs.stranded(elsewhere)] == [
        ("srv", 12, "no class of jobs runs there")
    ]
    assert gangs.stranded(three_tiers()) == []
