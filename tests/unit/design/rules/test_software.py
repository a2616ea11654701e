"""What a design says of the software bill of each pool: what runs, what is supported, what is safe."""

from __future__ import annotations

import pytest

from rackwright import compat
from rackwright.design import rules
from rackwright.model.verdict import Outcome


def said(expanded, **software):
    design = expanded(lambda data: data["software"].update(software))
    found = [one for one in rules.run_rules(design) if one.check.startswith("design.software_")]
    assert {one.target for one in found} == {"train"}
    return {one.check.removeprefix("design.software_"): one for one in found}


def both(version):
    return {"driver": version, "fabric_manager": version}


@pytest.mark.parametrize(
    ("software", "outcomes"),
    [
        ({}, ("pass", "pass", "pass")),
        (both("580.126.20"), ("pass", "pass", "degraded")),
        (both("590.48.01"), ("pass", "degraded", "pass")),
        (both("610.57.04"), ("pass", "degraded", "inconclusive")),
        ({"images": ["registry.example/train:1"]}, ("inconclusive", "pass", "pass")),
        ({"container_toolkit": "1.17.8"}, ("pass", "pass", "degraded")),
    ],
)
def test_outcomes(expanded, software, outcomes):
    found = said(expanded, **software)
    assert tuple(str(found[one].outcome) for one in ("runs", "supported", "safe")) == outcomes
    for one in found.values():
        assert bool(one.next_step) == (one.outcome is not Outcome.PASS)


def test_a_degraded_finding_names_versions_rule_source_and_day(expanded):
    one = said(expanded, **both("580.126.20"))["safe"]
    for words in ("train", compat.tables_read(), "580.126.20", "at least 580.159.03", "driver-floor", "bulletin 5821"):
        assert words in one.says
    assert one.next_step == "take the newest driver of the branch"


def test_pools_without_accelerators_have_nothing_to_judge(expanded):
    def change(data):
        data["pools"].append({**data["pools"][0], "name": "aside", "server": "cpu-node-2u", "count": 2})

    targets = {one.target for one in rules.run_rules(expanded(change)) if one.check == "design.software_runs"}
    assert targets == {"train"}
