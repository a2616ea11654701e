"""What a design says of the software bill of each pool: what runs, what is supported, what is safe."""

from __future__ import annotations

import pytest

from rackwright import compat
from rackwright.design import rules
from rackwright.model.verdict import Outcome


def software_verdicts(expanded, **software):
    design = expanded(lambda data: data["software"].update(software))
    result = [verdict for verdict in rules.run_rules(design) if verdict.check.startswith("design.software_")]
    assert {verdict.target for verdict in result} == {"train"}
    return {verdict.check.removeprefix("design.software_"): verdict for verdict in result}


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
    result = software_verdicts(expanded, **software)
    assert tuple(str(result[entry].outcome) for entry in ("runs", "supported", "safe")) == outcomes
    for entry in result.values():
        assert bool(entry.next_step) == (entry.outcome is not Outcome.PASS)


def test_a_degraded_finding_names_versions_rule_source_and_day(expanded):
    entry = software_verdicts(expanded, **both("580.126.20"))["safe"]
    for words in (
        "train",
        compat.tables_read().isoformat(),
        "580.126.20",
        "at least 580.159.03",
        "driver-floor",
        "bulletin 5821",
    ):
        assert words in entry.says
    assert entry.next_step == "take the newest driver of the branch"


def test_pools_without_accelerators_have_nothing_to_judge(expanded):
    def change(data):
        data["pools"].append({**data["pools"][0], "name": "aside", "server": "cpu-node-2u", "count": 2})

    targets = {
        verdict.target for verdict in rules.run_rules(expanded(change)) if verdict.check == "design.software_runs"
    }
    assert targets == {"train"}
