"""Counts, names, places, addresses and software: one problem each, with path, expected, found and next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.model.site import Site
from rackwright.spec.crosscheck import counts, fabrics, facility, names, software, subnets

KNOWN = catalog.load()
CHECKS = (
    counts.check,
    names.check,
    facility.places,
    facility.routes,
    facility.feeds,
    software.check,
    subnets.check,
)
CRAHS = [{"sku": "crah-150kw", "count": 10**9}]
CDUS = {"cdus": [{"sku": "xdu1350", "count": 10**9}], "supply_celsius": 35, "delta_t_kelvin": 10}
Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def problems(example_site):
    def run(change: Change):
        data = yaml_text.load(example_site.read_text())
        change(data)
        site = Site.model_validate(data)
        return [entry for check in (*CHECKS, fabrics.check) for entry in check(site, KNOWN)]

    return run


def power(**change: Any) -> Change:
    return lambda data: data["facility"]["power"].update(change)


def fabric(at: int, **change: Any) -> Change:
    return lambda data: data["fabrics"][at].update(change)


def software_of(**change: Any) -> Change:
    return lambda data: data["software"].update(change)


def routes(*halls: list[str]) -> Change:
    def change(data: dict[str, Any]) -> None:
        data["facility"]["halls"].append({"name": "hall-2", "rows": 1, "racks_per_row": 1})
        data["facility"]["routes"] = [{"halls": hall, "meters": 10} for hall in halls]

    return change


def pools(*more: str, count: int = 1, first: str = "train") -> Change:
    def change(data: dict[str, Any]) -> None:
        private = data["pools"][0]
        data["pools"] = [{**private, "name": name, "count": count} for name in (first, *more)]
        for entry in data["fabrics"]:
            if entry.get("pools"):
                entry["pools"] = [first]

    return change


BAD: dict[str, tuple[Change, str, str]] = {
    "feeds": (power(feeds=[f"F{at}" for at in range(13)]), "facility.power.feeds", "too_many"),
    "feed twice": (power(feeds=["A", "B", "A"]), "facility.power.feeds[2]", "duplicate_name"),
    "ups": (power(ups={"sku": "galaxy-vs-150", "per_feed": 10**9}), "facility.power.ups.per_feed", "too_many"),
    "crahs": (lambda d: d["facility"]["air"].update(crahs=CRAHS), "facility.air.crahs[0].count", "too_many"),
    "cdus": (lambda d: d["facility"].update(liquid=CDUS), "facility.liquid.cdus[0].count", "too_many"),
    "places": (
        lambda d: d["facility"]["halls"][0].update(rows=10**9),
        "facility.halls[0].rows",
        "too_many",
    ),
    "controllers": (
        lambda d: d["control"]["slurm"]["controllers"].update(count=10**9),
        "control.slurm.controllers.count",
        "too_many",
    ),
    "managers": (lambda d: d["control"]["ufm"]["servers"].update(count=10**9), "control.ufm.servers.count", "too_many"),
    "storage servers": (
        lambda d: d["storage"][0].update(servers={"server": "storage-nvme-2u", "count": 10**9}),
        "storage[0].servers.count",
        "too_many",
    ),
    "pool": (pools(count=262_145), "pools[0].count", "too_many_nodes"),
    "pools": (pools("b", "c", count=131_072), "pools", "too_many_nodes"),
    "no such hall": (routes(["hall-1", "hall-3"]), "facility.routes[0].halls[1]", "unknown_hall"),
    "one hall": (routes(["hall-1", "hall-1"]), "facility.routes[0].halls", "same_hall"),
    "route twice": (routes(["hall-1", "hall-2"], ["hall-2", "hall-1"]), "facility.routes[1].halls", "duplicate_route"),
    "named as leaves": (pools(first="compute-leaf"), "pools[0].name", "reserved_name"),
    "named as racks": (pools("b", "b-fabric"), "pools[2].name", "reserved_name"),
    "named as a plane": (fabric(1, name="compute-p1"), "fabrics[1].name", "reserved_name"),
    "named as a rail": (fabric(1, name="inband-p2-r8"), "fabrics[1].name", "reserved_name"),
    "multicast": (fabric(2, subnet="224.0.0.0/16"), "fabrics[2].subnet", "not_for_hosts"),
    "all": (fabric(2, subnet6="::/0"), "fabrics[2].subnet6", "not_for_hosts"),
    "vlan of infiniband": (fabric(0, vlan=100), "fabrics[0].vlan", "unused_key"),
    "loopbacks of infiniband": (fabric(0, loopbacks="10.9.0.0/24"), "fabrics[0].loopbacks", "unused_key"),
    "partition of ethernet": (fabric(2, partition_key=5), "fabrics[2].partition_key", "unused_key"),
    "no version": (software_of(cuda="latest"), "software.cuda", "not_a_version"),
    "two versions": (software_of(fabric_manager="580.1"), "software.fabric_manager", "version_mismatch"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_one_problem_each(problems, case):
    change, path, code = BAD[case]
    (problem,) = problems(change)
    assert (problem.path, problem.code) == (path, f"spec.{code}")
    assert problem.expected
    assert problem.found
    assert problem.next_step


GOOD = [
    lambda data: None,
    routes(["hall-1", "hall-2"]),
    pools("train-b", "train-fabric", count=100),
    fabric(1, name="compute-p"),
    fabric(2, vlan=100, vni=5000, loopbacks="10.9.0.0/24"),
    fabric(0, partition_key=5),
    power(feeds=[f"F{at}" for at in range(12)]),
    software_of(cuda="13.0", nccl="2.30.4-1+cuda13.0"),
]


@pytest.mark.parametrize("change", GOOD)
def test_what_is_right_is_no_problem(problems, change):
    assert problems(change) == []
