"""What many rules come to: questions, ages, platforms and node classes; and laws that hold for all versions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright import compat
from rackwright.base import yaml_text
from rackwright.compat import facts, version
from rackwright.model.site import Site
from rackwright.model.software import Bill
from rackwright.model.verdict import Outcome
from tests import build
from tests.unit.compat.conftest import KNOWN, ask

FLOORS = {
    str(row.when["driver_branch"]): str(row.value)
    for rule in compat.tables()["security"].rules
    if rule.rule == "driver-floor"
    for row in rule.rows
}
NUMBERS = st.lists(st.integers(0, 999), min_size=1, max_size=5).map(lambda parts: ".".join(map(str, parts)))


@given(
    branch=st.sampled_from(sorted(FLOORS)),
    release=st.tuples(st.integers(0, 400), st.integers(0, 20)),
    more=st.integers(0, 99),
)
def test_a_newer_driver_of_a_branch_never_loses_its_floor(branch: str, release: tuple[int, int], more: int) -> None:
    def safe(minor: int, patch: int) -> bool:
        answers = ask(driver=f"{branch}.{minor}.{patch:02}")
        return compat.overall_outcome(answers, "safe") is Outcome.PASS

    if safe(*release):
        assert safe(release[0] + more, release[1])
        assert safe(release[0], release[1] + more)


@given(cuda=st.sampled_from(["11.8", "12.4", "12.9", "13.0", "13.2"]), older=NUMBERS, newer=NUMBERS)
def test_a_newer_driver_never_loses_a_cuda(cuda: str, older: str, newer: str) -> None:
    older, newer = sorted((older, newer), key=version.key)
    rule = "cuda-on-driver"
    outcomes = [
        entry.outcome for driver in (older, newer) for entry in ask(driver=driver, cuda=cuda) if entry.rule == rule
    ]
    assert outcomes != [Outcome.PASS, Outcome.FAIL]


@given(a=NUMBERS, b=NUMBERS, c=NUMBERS)
def test_versions_have_one_order(a: str, b: str, c: str) -> None:
    assert version.compare(a, b) == -version.compare(b, a)
    assert version.compare(a, a) == 0
    if version.compare(a, b) <= 0 and version.compare(b, c) <= 0:
        assert version.compare(a, c) <= 0


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ("13.0", "13.0.0", 0), ("580.9", "580.10", -1), ("24.1.RC3", "24.1.0", -1), ("24.1.rc2", "24.1.RC3", -1),
        ("6.8.0-137-generic", "6.8.0-137", 0), ("7.1.0", "7.0.2", 1), ("8.2.RC1", "8.2", -1),
    ],
)  # fmt: skip
def test_order(first: str, second: str, order: int) -> None:
    assert version.compare(first, second) == order


@pytest.mark.parametrize(
    ("result", "pattern", "good"),
    [
        ("26.7.0", ">=26.7", True), ("26.3.2", ">=26.7", False), ("7.5.0", ">=7.0.0 <=7.7.99", True), ("7.7.99.1", "<=7.7.99", False),
        ("580.1", "580.*", True), ("5800.1", "580.*", False), ("26", "<26", False), ("26.1", ">26", True),
    ],
)  # fmt: skip
def test_fits(result: str, pattern: str, *, good: bool) -> None:
    assert version.fits(result, pattern) is good


def test_within_goes_as_far_as_the_bound_spells_it_out() -> None:
    assert version.within("12.9", "12")
    assert not version.within("13.0", "12")
    assert version.within("580.173.02", "580")


@pytest.mark.parametrize(
    ("server", "platform"),
    [
        ("dgx-h100", "hgx"), ("dgx-a100", "hgx"), ("dgx-b200", "hgx-nvlink5"), ("dgx-b300", "hgx-nvlink5"),
        ("gb200-nvl72", "nvl72"), ("gb300-nvl72", "nvl72"), ("l40s-2u", "pcie"), ("mi300x-8u", ""), ("cpu-node-2u", ""),
    ],
)  # fmt: skip
def test_platform(server: str, platform: str) -> None:
    part = KNOWN.servers[server]
    result = facts.derive_facts(Bill(), KNOWN.accelerators.get(part.accelerator or ""), part)
    assert result.get("platform", "") == platform


def test_unsafe_is_told_apart_from_what_does_not_run_and_what_is_not_supported() -> None:
    def three(**fields: Any) -> list[str]:
        answers = ask(**fields)
        return [str(compat.overall_outcome(answers, question)) for question in ("runs", "supported", "safe")]

    assert three(gpu="h100-sxm", driver="580.126.20", cuda="13.0") == ["pass", "pass", "fail"]
    assert three(gpu="h100-sxm", driver="590.48.01", cuda="13.1") == ["pass", "fail", "pass"]
    assert three(gpu="h100-sxm", driver="535.309.01", cuda="13.0") == ["fail", "fail", "pass"]
    assert three(gpu="h100-sxm", driver="610.57.04", cuda="13.2", day="2026-08-01") == ["pass", "pass", "inconclusive"]


def test_what_no_rule_knows_is_inconclusive() -> None:
    answers = ask(server="gaudi3-8u", vendor_driver="1.22.0")
    assert compat.overall_outcome(answers, "complete") is Outcome.PASS
    assert {compat.overall_outcome(answers, question) for question in ("runs", "supported", "safe")} == {
        Outcome.INCONCLUSIVE
    }


def test_notes_decide_nothing() -> None:
    answers = ask(driver="580.173.02", cuda="13.0")
    assert any(answer.outcome is Outcome.DEGRADED for answer in answers)
    assert compat.overall_outcome(answers, "safe") is Outcome.PASS


@pytest.mark.parametrize(
    ("day", "reported"), [("2026-10-05", False), ("2026-10-06", True), ("2025-01-01", False), ("", False)]
)
def test_an_aged_table_is_told_once(day: str, *, reported: bool) -> None:
    aged = [entry for entry in ask(driver="580.173.02", dcgm="4.6.0", day=day) if entry.rule == "age-of-security"]
    assert len(aged) == reported
    assert all("2026-09-25" in entry.found and entry.next_step for entry in aged)


def test_a_table_that_was_not_asked_does_not_age() -> None:
    assert not [entry for entry in ask(kernel="6.1.0", day="2030-01-01") if entry.rule.startswith("age-of")]


def classes(server: str = "l40s-2u", **software: Any) -> dict[str, compat.NodeClass]:
    """The node classes of the example site with a pool of PCIe servers beside it."""
    data = yaml_text.load(build.EXAMPLE.read_text())
    data["pools"].append({**data["pools"][0], "name": "serve", "server": server, "count": 2, "scheduler": "none"})
    data["software"] |= software
    built = Site.model_validate(data)
    return {node_class.pool: node_class for node_class in compat.node_classes(built, KNOWN.accelerators, KNOWN.servers)}


def test_a_version_of_the_whole_site_is_asked_of_the_nodes_that_can_have_it() -> None:
    result = classes()
    assert result["train"].bill.fabric_manager == "580.173.02"
    assert result["serve"].bill.fabric_manager == ""
    assert result["serve"].bill.os == "debian-12"


def test_a_version_of_a_pool_is_meant() -> None:
    result = classes(pools={"serve": {"fabric_manager": "580.173.02"}})
    assert result["serve"].bill.fabric_manager == "580.173.02"


@pytest.mark.parametrize("server", ["mi300x-8u", "atlas-900-a2", "gaudi3-8u", "cpu-node-2u"])
def test_versions_of_another_vendor_are_not_asked_of_a_node(server: str) -> None:
    result = classes(server, amdgpu="30.20.1", rocm="7.1.0", ascend_driver="24.1.rc3", vendor_driver="1.22.0")
    assert result["train"].bill.driver == "580.173.02"
    assert result["train"].bill.amdgpu == ""
    bill = result["serve"].bill
    assert (bill.driver, bill.nccl, bill.fabric_manager) == ("", "", "")
    text = {field for field in ("amdgpu", "ascend_driver", "vendor_driver") if getattr(bill, field)}
    expected = {"mi300x-8u": {"amdgpu"}, "atlas-900-a2": {"ascend_driver"}, "gaudi3-8u": {"vendor_driver"}}
    assert text == expected.get(server, set())


def test_every_field_that_belongs_to_a_vendor_is_one_of_the_bill() -> None:
    for field in facts.load_facts().fields:
        assert set(field.fields) <= Bill.model_fields.keys()
        assert not set(field.fields) & {"kernel", "doca", "kubernetes", "containerd", "node_exporter"}
