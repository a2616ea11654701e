"""Findings of the engine itself, and how old a reading may be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.judge.engine_findings import crash_finding, missing_finding, silent_finding
from rackwright.judge.evidence_age import oldest
from rackwright.judge.limits import LimitTable
from rackwright.model.check import Check
from rackwright.model.evidence.bmc import BmcEvidence
from tests import build

CHECK = Check(title="t", reads=BmcEvidence, judge=lambda *_: None)
NAMES = {"Bmc", "Accelerators", "NodeFabric"}


def missing(errors, **owes: str):
    evidence = build.node_evidence(records={}, raw={}, errors=errors, owes=owes)
    return missing_finding("n", CHECK, evidence, NAMES)


@pytest.mark.parametrize(
    ("errors", "owes", "says"),
    [
        ({}, {}, "no Bmc reading was taken"),
        ({"bmc": "refused"}, {}, "no Bmc reading: refused"),
        ({"fabric": "refused"}, {}, "no Bmc reading was taken"),
        ({"node_fabric": "refused"}, {}, "no Bmc reading was taken"),
        ({"probe": "refused"}, {}, "no Bmc reading: refused"),
        ({"probe": "refused"}, {"probe": "Accelerators"}, "no Bmc reading was taken"),
        ({"fabric": "refused"}, {"fabric": "Bmc"}, "no Bmc reading: refused"),
        ({"probe": "refused", "bmc": "refused"}, {}, "no Bmc reading: refused"),
        ({"probe": "late", "bmc": "refused"}, {}, "no Bmc reading: bmc: refused; probe: late"),
    ],
)
def test_why_nothing_was_read(errors, owes, says) -> None:
    finding = missing(errors, **owes)
    assert finding.says == f"n: {says}"
    assert finding.outcome == ("inconclusive" if ": " in says else "not_run")
    assert (finding.observed, finding.expected, finding.source) == ("no reading", "a reading of Bmc", "")


def test_a_node_without_evidence_was_not_read() -> None:
    assert missing_finding("n", CHECK, None, NAMES).says == "n: no Bmc reading was taken"


def test_findings_of_crashes_and_of_silence() -> None:
    crash, silence = crash_finding("n", "a.b", ZeroDivisionError("no")), silent_finding("n", "a.b")
    assert crash.says == "n: check a.b crashed, ZeroDivisionError: no"
    assert silence.says == "n: check a.b compared the nodes and has no result for this one"
    assert [(finding.outcome, finding.observed, finding.expected, finding.source) for finding in (crash, silence)] == [
        ("inconclusive", "ZeroDivisionError", "a finding", ""),
        ("inconclusive", "nothing", "a finding", ""),
    ]


NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)


def age(policy: object, site_hours: float | None) -> timedelta:
    site = build.site_design().site
    site = site.model_copy(update={"acceptance": site.acceptance.model_copy(update={"evidence_hours": site_hours})})
    rows = () if policy is None else (build.row(build.limit("policy.evidence_hours", value=policy)),)
    return NOW - oldest(site, LimitTable((), rows), NOW)


def test_the_site_says_how_old_a_reading_may_be_else_the_policy() -> None:
    assert age(24, None) == timedelta(hours=24)
    assert age(24, 1.5) == age(None, 1.5) == age("never", 1.5) == timedelta(hours=1.5)


@pytest.mark.parametrize(("policy", "value"), [(None, "None"), ("a day", "'a day'")])
def test_without_either_no_age_is_assumed(policy, value) -> None:
    with pytest.raises(ProblemsError) as caught:
        age(policy, None)
    [problem] = caught.value.problems
    assert (problem.place, problem.path, problem.found) == ("validators/limits", "policy.evidence_hours", value)
    assert (problem.message, problem.expected) == ("no limit", "a number of hours")
    assert problem.next_step == "add the row, or set acceptance.evidence_hours in the site file"
    assert problem.code == "limits.evidence_age"
