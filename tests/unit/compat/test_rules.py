"""Every rule passes and breaks, has sources and dates, and no row of it is hidden behind another."""

from __future__ import annotations

import copy
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rackwright import compat
from rackwright.base import yaml_text
from rackwright.compat import facts, images, version
from rackwright.compat.rule import CompatibilityRule
from rackwright.model.software import Bill
from tests.unit.compat.conftest import ask

CASES: dict[str, dict[str, list[dict[str, Any]]]] = yaml_text.load((Path(__file__).parent / "cases.yaml").read_text())
RULES: dict[str, CompatibilityRule] = {rule.rule: rule for table in compat.tables().values() for rule in table.rules}
ALL = [(rule, kind, case) for rule, kinds in CASES.items() for kind, cases in kinds.items() for case in cases]
NEVER_PASSES = {rule.rule for rule in RULES.values() if rule.test == "absent"}


def outcomes(rule: str, case: dict[str, Any]) -> set[str]:
    return {str(entry.outcome) for entry in ask(**copy.deepcopy(case)) if entry.rule == rule}


@pytest.mark.parametrize(("rule", "kind", "case"), ALL, ids=lambda value: value if isinstance(value, str) else "")
def test_case(rule: str, kind: str, case: dict[str, Any]) -> None:
    broken = "fail" if RULES[rule].broken == "fail" else "degraded"
    result = outcomes(rule, case)
    if kind == "silent":
        assert not result
    else:
        assert {"pass": "pass", "break": broken, "unknown": "inconclusive"}[kind] in result


def test_every_rule_has_a_case_of_each_kind_that_it_can_come_to() -> None:
    assert CASES.keys() == RULES.keys()
    for name, rule in RULES.items():
        kinds = CASES[name].keys()
        assert "break" in kinds or name == "image-is-known", name
        assert "pass" in kinds or ("silent" in kinds and name in NEVER_PASSES), name
        assert "unknown" in kinds or rule.unknown == "silent", name


def test_every_driver_rule_says_what_it_found_and_what_to_do() -> None:
    for rule, kind, case in ALL:
        for entry in ask(**copy.deepcopy(case)):
            if entry.rule == rule and kind in {"break", "unknown"} and entry.outcome != "pass":
                assert entry.found
                assert entry.expected
                assert entry.next_step
                assert entry.source
                assert date.fromisoformat(entry.date)


def test_ids_are_unique() -> None:
    assert len(RULES) == sum(len(table.rules) for table in compat.tables().values())


@pytest.mark.parametrize("name", RULES)
def test_rows_have_a_source_a_date_and_their_own_place(name: str) -> None:
    rule = RULES[name]
    observed: list[Any] = []
    for row in rule.rows:
        assert (row.source or rule.source).strip()
        assert date.fromisoformat(row.date or rule.date) <= date(2026, 11, 26)
        assert row.value or rule.test == "absent", "a row that compares with nothing cannot fail"
        assert row.when not in observed, "the first row wins, this one is never read"
        observed.append(row.when)
    assert {} not in observed[:-1], "rows after one without condition are never read"


def test_every_fact_that_a_rule_reads_is_one_that_can_be_known() -> None:
    bill = Bill(**dict.fromkeys(Bill.model_fields.keys() - {"os", "images", "options"}, "1.2.3"), os="debian-12")
    names = {
        *facts.derive_facts(bill),
        *facts.load_facts().options,
        "vendor",
        "driver_field",
        "architecture",
        "accelerator",
        "scale_up",
        "server",
        "nscq",
    }
    names |= {
        "platform",
        "needs_fabric_manager",
        "adapters",
        "nvswitches",
        "driver_cuda",
        "cuda_driver",
        "nccl_cuda_major",
    }
    names |= {"image", "image_cuda", "image_rocm", "image_cuda_major", "image_cuda_release", "image_ahead"}
    for rule in RULES.values():
        read = {rule.subject, *rule.when, *(fact for row in rule.rows for fact in row.when)}
        values = [row.value for row in rule.rows if isinstance(row.value, str)]
        assert read | {value[1:] for value in values if value.startswith("@")} <= names, rule.rule


def test_releases_are_in_order_and_their_drivers_too() -> None:
    releases = facts.load_facts().releases
    assert [release.cuda for release in releases] == sorted(
        (release.cuda for release in releases), key=version.key, reverse=True
    )
    drivers = [version.key(release.driver) for release in releases]
    assert drivers == sorted(drivers, reverse=True)


PLATFORM = {"nvidia": "hgx"}


@pytest.mark.parametrize("vendor", ["nvidia", "amd", "huawei", "intel", "biren", "moore-threads", "cambricon", "hygon"])
def test_reference_bill_is_complete_and_refused_by_nothing(vendor: str) -> None:
    servers = {
        "nvidia": "dgx-h100",
        "amd": "mi300x-8u",
        "huawei": "atlas-900-a2",
        "intel": "gaudi3-8u",
        "biren": "br100-8u",
    }
    servers |= {"moore-threads": "mccx-d800", "cambricon": "mlu590-8u", "hygon": "hygon-k100-8u"}
    answers = ask(
        server=servers[vendor], os="ubuntu-24.04", **compat.reference(vendor, platform=PLATFORM.get(vendor, ""))
    )
    assert not [answer for answer in answers if answer.outcome == "fail"]
    assert compat.overall_outcome(answers, "complete") == "pass"
    if vendor in {"nvidia", "amd"}:
        assert {compat.overall_outcome(answers, question) for question in ("runs", "supported", "safe")} == {"pass"}


@pytest.mark.parametrize(
    ("image", "cuda", "rocm"),
    [
        ("nvcr.io/nvidia/pytorch:25.10-py3", "13.0.2", ""),
        ("nvcr.io/nvidia/tritonserver:25.10-trtllm-python-py3", "12.9.1", ""),
        ("nvcr.io/nvidia/tritonserver:25.12-trtllm-python-py3", "13.0.2", ""),
        ("docker.io/nvidia/cuda:12.8.1-devel-ubuntu24.04@sha256:" + "0" * 64, "12.8.1", ""),
        ("vllm/vllm-openai:latest-cu129-ubuntu2404", "12.9", ""),
        ("rocm/vllm:rocm6.4.1_vllm_0.10.0", "", "6.4.1"),
        ("registry.example/nvidia/pytorch:25.10-py3", "", ""),
        ("nvidia/cuda", "", ""),
    ],
)
def test_what_an_image_brings(image: str, cuda: str, rocm: str) -> None:
    assert images.versions_in_image(image)[:2] == (cuda, rocm)
