"""Every limit is held against machines of the field, by the comparison that judges a node."""

from dataclasses import replace

import pytest

from rackwright import catalog, compare, judge
from rackwright.base import content
from rackwright.flow.limit_references import deciding_checks, limits_page, reference_problems
from rackwright.model.check import CALIBRATED
from rackwright.model.verdict import Outcome
from tests import build

COPY = "copy.device_to_host_gbytes_per_s"


@pytest.fixture(scope="module")
def table():
    return judge.load_limits()


def changed(table, metric, match, **change):
    """`table` with the row of `metric` and `match` changed."""
    rows = tuple(
        build.row(row.record.model_copy(update=change), row.place)
        if (row.record.metric, row.record.match) == (metric, match)
        else row
        for row in table.rows
    )
    assert rows != table.rows
    return replace(table, rows=rows)


def test_the_shipped_limits_pass_healthy_machines_and_refuse_faulty_ones(table):
    assert [str(problem) for problem in reference_problems(table, catalog.load())] == []


def test_the_page_is_what_is_published(table, golden):
    golden(content.folder("validators", "LIMITS.md"), limits_page(table))


def test_a_floor_above_a_published_healthy_machine_is_named_with_its_source(table):
    # The floor of 52 that refused the H100 of Voltage Park.
    high = changed(table, COPY, {"accelerator": "h100-sxm"}, value=52)
    [problem] = reference_problems(high, catalog.load())
    assert problem.path == f"{COPY} 46.8"
    assert "aigatech/vpbenchmarking" in problem.message
    assert problem.expected == "pass"


def test_a_floor_that_lets_a_faulty_machine_pass_is_named(table):
    low = changed(table, COPY, {"accelerator": "h100-sxm"}, value=25)
    assert {problem.expected for problem in reference_problems(low, catalog.load())} == {"fail"}


def test_a_limit_without_a_machine_must_be_advisory(table):
    match = {"accelerator": "mi355x"}
    [problem] = reference_problems(changed(table, "hbm.copy_gbytes_per_s", match, advisory=False), catalog.load())
    assert "no published healthy and faulty machine" in problem.message
    [problem] = reference_problems(changed(table, COPY, {"accelerator": "h100-sxm"}, advisory=True), catalog.load())
    assert "can decide" in problem.message


def test_every_deciding_check_is_held_against_something():
    [problem] = judge.uncovered_limits((), judge.LimitTable((), ()), ["gpu.count"], [])
    assert problem.path == "gpu.count"
    assert len(deciding_checks()) > 200


def test_an_advisory_floor_refuses_nobody_and_leaves_a_reading_to_calibrate(table):
    advisory = changed(table, COPY, {"accelerator": "h100-sxm"}, advisory=True)
    expected = replace(build.expectation(), limits=advisory)
    finding = compare.at_least(expected, {"GPU 3": 20.0}, COPY, what="copy")
    assert (finding.outcome, finding.advisory) == (Outcome.FAIL, True)
    assert [reading.value for reading in finding.unlimited] == [20.0]
    assert "advisory, of no published healthy machine" in finding.says
    [decision] = build_decision(finding)
    assert decision.accepted
    [decision] = build_decision(finding.model_copy(update={"advisory": False}))
    assert not decision.accepted


def build_decision(finding):
    from datetime import date

    from rackwright import gate
    from rackwright.model.verdict import verdict_fields

    fields = verdict_fields(finding)
    verdicts = [build.verdict("gpu.count"), build.verdict("copy.device_to_host", **fields)]
    declared = build.gate(["gpu.*", "copy.*"]).model_copy(update={"where_they_apply": []})
    return gate.decide_nodes(
        verdicts,
        declared.model_copy(update={"checks": ["gpu.*"], "where_they_apply": ["copy.*"]}),
        [],
        date(2026, 11, 23),
    )


def test_a_calibrated_limit_takes_the_place_of_an_advisory_one(table):
    match = {"accelerator": "mi355x"}
    rows = [row for row in table.rows if row.record.metric == "hbm.copy_gbytes_per_s" and row.record.match == match]
    origin = {"site": "a", "signed_by": "b", "runs": 3, "scatter": 0.01, "left_out": [], "software": {}}
    taught = build.limit(
        "hbm.copy_gbytes_per_s",
        match={"server": "mi355x-dlc-4u"},
        kind=CALIBRATED,
        value=6000.0,
        unit="GB/s",
        samples=8,
        origin=origin,
    )
    both = replace(table, rows=(*rows, build.row(taught)))
    assert both.find("hbm.copy_gbytes_per_s", accelerator="mi355x", server="mi355x-dlc-4u") == taught
