"""What a fleet measured can be judged by: it stands beside our limits and never has equal right with one of them."""

from __future__ import annotations

from datetime import date

import pytest

from rackwright import judge
from rackwright.cli.accept.judge_text import baseline
from rackwright.compare import limits_about
from rackwright.judge.learn import learn
from rackwright.model.verdict import Outcome, Verdict
from tests import build

NODE = "train-001"


def measured(metric: str, key: dict[str, str], unit: str) -> Verdict:
    return Verdict(
        check="a.b", target=NODE, title="", outcome=Outcome.PASS, observed="", expected="", source="", says="",
        metric=metric, key=key, value=1.5, unit=unit, evidence=[],
    )  # fmt: skip


def test_whatever_was_measured_lies_over_the_limits(tmp_path) -> None:
    base, key = judge.load_limits(), limits_about(build.expected(NODE))
    ours = [
        row.record
        for row in base.rows
        if all(key.get(name, value) == value for name, value in row.record.match.items())
    ]
    rows = learn(
        build.site_design(),
        [measured(row.metric, row.match, row.unit) for row in ours],
        ["run"],
        date.fromisoformat(build.TAKEN[:10]),
    )
    assert len(rows) > 100
    file = tmp_path / "fleet.yaml"
    file.write_text(baseline(rows))
    table = judge.load_limits([file], base)
    for learned in rows:
        assert table.find(learned.metric, **(key | learned.match)) == learned


def passed(node: str, value: float | None, outcome: Outcome = Outcome.PASS, **change) -> Verdict:
    verdict = measured("m", {"size": "1GiB"}, "GB/s")
    return verdict.model_copy(update={"target": node, "value": value, "outcome": outcome} | change)


def learned(*verdicts: Verdict):
    return learn(build.site_design(), verdicts, ["run-1", "run-2"], date(2026, 11, 21))


def test_a_row_is_the_median_of_nodes_and_their_deviation() -> None:
    [row] = learned(*[passed(f"train-{n:03d}", value) for n, value in enumerate((10.0, 30.0, 11.0, 14.0), start=1)])
    assert (row.value, row.spread, row.samples) == (12.5, 2.0, 4)
    assert (row.metric, row.unit, row.kind, row.date) == ("m", "GB/s", "measured", "2026-11-21")
    assert row.source == "measured at acceptance of site h100-pod, evidence run-1, run-2"
    assert row.match == {"size": "1GiB"} | limits_about(build.expected(NODE))


def test_numbers_keep_six_digits() -> None:
    [row] = learned(passed(NODE, 1234.56789))
    assert (row.value, row.spread) == (1234.57, 0)


@pytest.mark.parametrize(
    "verdict",
    [
        passed("train-002", 9.0, Outcome.FAIL),
        passed("train-002", 9.0, Outcome.INCONCLUSIVE),
        passed("train-002", 9.0, Outcome.DEGRADED),
        passed("train-002", 9.0, Outcome.NOT_RUN),
        passed("train-002", None),
        passed("train-002", 9.0, metric=""),
    ],
)
def test_what_does_not_count(verdict) -> None:
    assert [(row.value, row.samples) for row in learned(passed(NODE, 5.0), verdict)] == [(5.0, 1)]


def test_of_a_refused_node_nothing_counts_and_of_a_degraded_one_its_passes() -> None:
    for outcome, samples in ((Outcome.FAIL, 1), (Outcome.INCONCLUSIVE, 1), (Outcome.DEGRADED, 2), (Outcome.NOT_RUN, 2)):
        verdicts = [passed(NODE, 5.0), passed("train-002", 5.0), passed("train-002", None, outcome)]
        assert learned(*verdicts)[0].samples == samples, outcome


def test_rows_are_apart_by_metric_unit_key_and_kind_of_node_and_in_order() -> None:
    changes = [{"metric": "n"}, {"unit": "us"}, {"key": {"size": "8GiB"}}, {}]
    rows = learned(*(passed(NODE, 5.0, **change) for change in changes), passed("slurm-01", 7.0))
    assert [(row.metric, row.unit, row.match["size"], row.match["server"]) for row in rows] == [
        ("m", "GB/s", "1GiB", "dgx-h100"),
        ("m", "GB/s", "8GiB", "dgx-h100"),
        ("m", "GB/s", "1GiB", "head-node-1u"),
        ("m", "us", "1GiB", "dgx-h100"),
        ("n", "GB/s", "1GiB", "dgx-h100"),
    ]
