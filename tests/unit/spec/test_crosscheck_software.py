"""The software bill of a site: what is refused before any host is touched, where it is reported, and what is not refused."""

from __future__ import annotations

from typing import Any

import pytest

from rackwright import catalog, compat
from rackwright.base import yaml_text
from rackwright.base.errors import Problem
from rackwright.model.site import Site
from rackwright.spec.crosscheck import software

KNOWN = catalog.load()
PCIE = {"name": "serve", "server": "l40s-2u", "count": 2, "servers_per_rack": 2, "scheduler": "none"}


@pytest.fixture
def problems(example_site: Any) -> Any:
    def run(
        servers: list[dict[str, Any]] | None = None, bill: dict[str, Any] | None = None, **more: Any
    ) -> list[Problem]:
        data = yaml_text.load(example_site.read_text())
        data["pools"] = servers or data["pools"]
        data["software"] = {"apt_mirror": "http://10.0.0.2/apt", **(data["software"] if bill is None else bill), **more}
        return list(software.check(Site.model_validate(data), KNOWN))

    return run


BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "fabric manager": ({"fabric_manager": "580.126.20"}, "software.fabric_manager", "version_mismatch"),
    "fabric manager of a pool": (
        {"pools": {"train": {"fabric_manager": "580.126.20"}}}, "software.pools.train.fabric_manager", "version_mismatch",
    ),
    "imex on HGX": ({"pools": {"train": {"imex": "580.173.02"}}}, "software.pools.train.imex", "incompatible"),
    "cuda": ({"driver": "570.211.01", "fabric_manager": "570.211.01"}, "software.driver", "incompatible"),
    "nccl": ({"nccl": "2.30.4+cuda12.9"}, "software.nccl", "version_mismatch"),
    "toolkit": ({"container_toolkit": "1.17.7"}, "software.container_toolkit", "incompatible"),
    "image": ({"images": ["nvidia/cuda:11.0.3-base"], "driver": "450.51.06", "fabric_manager": "450.51.06", "cuda": "10.0"},
              "software.cuda", "incompatible"),
    "missing": ({"dcgm": ""}, "software.dcgm", "version_missing"),
    "missing in the pool": ({"pools": {"train": {"nccl": ""}}}, "software.pools.train.nccl", "version_missing"),
    "no version": ({"doca": "latest"}, "software.doca", "not_a_version"),
    "no version in a pool": ({"pools": {"train": {"gds": "new"}}}, "software.pools.train.gds", "not_a_version"),
    "no such pool": ({"pools": {"trian": {"gds": "2.29.4"}}}, "software.pools.trian", "unknown_pool"),
    "image without tag": ({"images": ["nvidia/cuda"]}, "software.images[0]", "not_an_image"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_refused(problems: Any, case: str) -> None:
    change, path, code = BAD[case]
    result = [problem for problem in problems(**change) if problem.path == path]
    assert [problem.code for problem in result][:1] == [f"spec.{code}"]
    assert all(problem.message and problem.expected and problem.found and problem.next_step for problem in result)


def test_a_refusal_names_rule_source_and_date(problems: Any) -> None:
    (result,) = problems(fabric_manager="580.126.20")
    for words in ("pool train", "fabric-manager-is-driver", "gpu-driver-container", "2026-08-31"):
        assert words in result.message
    assert (result.expected, result.found) == ("580.173.02 (driver), exactly", "580.126.20")


def test_one_problem_for_all_pools_that_it_is_true_of(problems: Any) -> None:
    train = {"name": "train", "server": "dgx-h100", "count": 2, "servers_per_rack": 2, "scheduler": "none"}
    (result,) = problems(servers=[train, {**train, "name": "more"}], fabric_manager="580.126.20")
    assert "pools train, more" in result.message


def test_amd_needs_no_nvidia_bill(problems: Any) -> None:
    amd = [{**PCIE, "server": "mi300x-8u"}]
    assert not problems(servers=amd, bill={"amdgpu": "30.20.1", "rocm": "7.1.0"})
    missing = problems(servers=amd, bill={})
    assert [(entry.path, entry.code) for entry in missing] == [
        ("software.amdgpu", "spec.version_missing"), ("software.rocm", "spec.version_missing"),
    ]  # fmt: skip
    assert all("pool serve must name its" in entry.message for entry in missing)


@pytest.mark.parametrize(
    ("server", "vendor"),
    [("atlas-900-a2", "huawei"), ("gaudi3-8u", "intel"), ("br100-8u", "biren"), ("mccx-d800", "moore-threads")],
)
def test_other_vendors_name_their_own(problems: Any, server: str, vendor: str) -> None:
    pools = [{**PCIE, "server": server}]
    assert not problems(servers=pools, bill=compat.reference(vendor))
    assert {problem.code for problem in problems(servers=pools, bill={})} == {"spec.version_missing"}


def test_a_pool_without_accelerators_needs_nothing(problems: Any) -> None:
    assert not problems(servers=[{**PCIE, "server": "cpu-node-2u"}], bill={})


def test_fabric_manager_is_needed_on_switched_boards_alone(problems: Any) -> None:
    assert not problems(servers=[PCIE], fabric_manager="")
    assert [problem.path for problem in problems(fabric_manager="")] == ["software.fabric_manager"]


def test_fabric_manager_of_a_pool_without_switches_is_refused(problems: Any) -> None:
    assert not problems(servers=[PCIE]), "said for the whole site, it is not asked of these nodes"
    (result,) = problems(servers=[PCIE], pools={"serve": {"fabric_manager": "580.173.02"}})
    assert result.path == "software.pools.serve.fabric_manager"
    assert "no-fabric-manager" in result.message


def test_what_is_unsafe_or_no_longer_supported_is_not_refused(problems: Any) -> None:
    assert not problems(driver="580.65.06", fabric_manager="580.65.06")
    assert not problems(driver="590.44.01", fabric_manager="590.44.01")


def test_what_is_not_known_is_not_refused(problems: Any) -> None:
    assert not problems(cuda="14.0", images=["registry.example/train:1"])


def test_a_version_that_is_none_is_told_once(problems: Any) -> None:
    assert [problem.code for problem in problems(driver="newest")] == ["spec.not_a_version"]


def test_the_flavour_that_the_role_chooses_is_not_refused(problems: Any) -> None:
    assert problems(options={"nvidia_driver_flavour": "auto"}) == []


@pytest.mark.parametrize("pool", [False, True])
def test_a_flavour_that_cannot_run_is_said_where_it_stands(problems: Any, pool: bool) -> None:
    options = {"options": {"nvidia_driver_flavour": "closed-source"}}
    (entry,) = problems(**({"pools": {"train": options}} if pool else options))
    assert entry.path == f"software.{'pools.train.' if pool else ''}options.nvidia_driver_flavour"


def test_a_version_for_another_vendor_is_refused_where_a_pool_asks_for_it(problems: Any) -> None:
    result = problems(pools={"train": {"rocm": "7.2", "amdgpu": "30.30.2", "driver": "580.173.02"}})
    assert [(entry.path, entry.code) for entry in result] == [
        ("software.pools.train.amdgpu", "spec.of_no_use"),
        ("software.pools.train.rocm", "spec.of_no_use"),
    ]
    assert result[0].expected == "none on dgx-h100 with h100-sxm"


def test_a_version_for_another_vendor_said_for_the_whole_site_is_for_those_that_run_it(problems: Any) -> None:
    assert problems(rocm="7.2", amdgpu="30.30.2") == []


def test_containers_of_jobs_are_for_pools_of_slurm(problems: Any) -> None:
    train = {"name": "train", "server": "dgx-h100", "count": 2, "servers_per_rack": 2, "scheduler": "slurm"}
    serve = {**train, "name": "serve", "scheduler": "kubernetes"}
    assert not problems(servers=[train, serve]), "said for the whole site, it is not asked of these nodes"
    for place, refused in {
        "software": problems(servers=[serve]),
        "software.pools.serve": problems(
            servers=[train, serve], pools={"serve": {"enroot": "4.1.2", "pyxis": "0.24.0"}}
        ),
    }.items():
        assert [(entry.path, entry.code) for entry in refused] == [
            (f"{place}.enroot", "spec.of_no_use"), (f"{place}.pyxis", "spec.of_no_use"),
        ]  # fmt: skip
    (alone,) = problems(servers=[train], pyxis="")
    assert (alone.path, alone.next_step) == ("software.enroot", "give software.pyxis as well, or leave enroot out")
