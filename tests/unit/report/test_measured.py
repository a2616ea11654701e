from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.model.verdict import Outcome
from rackwright.report import build, measured
from rackwright.report.amounts import format_value
from rackwright.report.drawings import strip
from rackwright.report.measured import axis, spreads
from tests.unit.report.conftest import tiny_handover, verdict


def report(values, *, limit=90.0, **change):
    nodes = ("train-001", "train-002", "train-003", "train-004")
    verdicts = [
        verdict(node, "hbm.bandwidth", Outcome.PASS if limit is None or value >= limit else Outcome.FAIL).model_copy(
            update={"value": value, "unit": "GB/s", "limit": limit} | change
        )
        for node, value in zip(nodes, values, strict=False)
    ]
    return build.build_report(tiny_handover(verdicts=tuple(verdicts), decisions=(), nodes=nodes), lambda _: "")


def test_a_spread_has_a_row_per_rack_and_a_mark_per_node() -> None:
    [spread] = spreads(report([100.0, 80.0, 110.0, 100.0]).nodes)
    assert [(row.name, [dot.node for dot in row.dots]) for row in spread.rows] == [
        ("r1", ["train-001", "train-002"]),
        ("r2", ["train-003", "train-004"]),
    ]
    assert (spread.values, spread.median, spread.limits, spread.unit) == (
        (80.0, 100.0, 100.0, 110.0),
        100.0,
        (90.0,),
        "GB/s",
    )
    assert spread.rows[0].dots[1].outcome is Outcome.FAIL
    assert not spread.even


def test_marks_at_one_place_are_stacked() -> None:
    [spread] = spreads(report([100.0, 100.0, 110.0, 90.0]).nodes)
    assert [dot.level for dot in spread.rows[0].dots] == [0, 1]


def test_the_same_everywhere_needs_no_drawing() -> None:
    [spread] = spreads(report([0.0] * 4, limit=0.0).nodes)
    assert spread.even
    assert spread.low < 0 < spread.high


def test_different_keys_are_different_metrics() -> None:
    both = report([100.0, 80.0], key={"collective": "all_reduce", "nodes": "1"})
    assert [spread.about for spread in spreads(both.nodes)] == ["all_reduce"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e308, -1e308])
def test_what_is_no_number_is_left_out(value: float) -> None:
    assert len(spreads(report([100.0, value]).nodes)[0].values) == 1


@pytest.mark.parametrize("limit", [float("nan"), float("inf"), 1e308])
def test_a_limit_that_is_no_number_is_left_out(limit: float) -> None:
    assert spreads(report([100.0, 80.0], limit=limit).nodes)[0].limits == ()


def test_many_racks_stand_in_one_row(monkeypatch) -> None:
    monkeypatch.setattr(measured, "MOST_ROWS", 1)
    [spread] = spreads(report([100.0, 80.0, 110.0, 100.0]).nodes)
    assert [(row.name, len(row.dots)) for row in spread.rows] == [("all racks", 4)]


def test_very_many_nodes_are_bars_with_marks_for_those_that_did_not_pass(monkeypatch) -> None:
    monkeypatch.setattr(measured, "MOST_DOTS", 1)
    [spread] = spreads(report([100.0, 80.0, 110.0, 100.0]).nodes)
    assert [sum(count for _, count in row.bars) for row in spread.rows] == [2, 2]
    assert [[dot.node for dot in row.dots] for row in spread.rows] == [["train-002"], []]
    drawn = strip.drawing(spread, 1)
    assert drawn.count('class="bar"') == 4
    assert drawn.count('class="dot fail"') == 1
    assert "dot pass" not in drawn


def test_the_drawing_tells_outcomes_by_shape_and_shows_the_limit() -> None:
    [spread] = spreads(report([100.0, 80.0, 110.0, 100.0]).nodes)
    drawn = strip.drawing(spread, 1)
    assert drawn.count('class="dot pass"') == 3
    assert re.search(r'<path[^>]*class="dot fail"><title>train-002: 80 GB/s, fail</title>', drawn)
    assert "compared with 90" in drawn
    assert 'id="spread-1-title"' in drawn


def test_limits_that_lie_together_are_labelled_once() -> None:
    [near] = spreads(report([100.0, 80.0], limit=None).nodes)
    assert near.labelled == ()


numbers = st.floats(-1e12, 1e12, allow_nan=False).map(lambda number: 0.0 if abs(number) < 1e-9 else number)


@given(numbers, numbers)
def test_an_axis_holds_what_it_shows(first: float, second: float) -> None:
    low, high, ticks = axis(min(first, second), max(first, second))
    assert low <= min(first, second)
    assert max(first, second) <= high
    assert low < high
    assert 1 <= len(ticks) <= 12
    assert all(low - 1e-6 * abs(low) <= tick <= high + 1e-6 * abs(high) for tick in ticks)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (788.98, "789"),
        (2872.7, "2,873"),
        (0.9953676, "0.9954"),
        (454108.55, "454,109"),
        (51.59, "51.59"),
        (3e-05, "0.00003"),
        (-2.0, "-2"),
        (1000.0, "1,000"),
    ],
)
def test_values_for_people(value: float, text: str) -> None:
    assert format_value(value) == text


def test_values_that_were_compared_with_different_things_are_shown_as_their_share() -> None:
    """Peers of each node: one stands out in bf16, another in fp8; their axis is not that of TFLOPS."""
    nodes = ("train-001", "train-002")
    verdicts = [
        verdict(node, "peers.gemm", Outcome.PASS).model_copy(update={"value": value, "unit": "TFLOPS", "limit": limit})
        for node, value, limit in zip(nodes, (788.0, 1366.0), (790.0, 1370.0), strict=True)
    ]
    handed = tiny_handover(verdicts=tuple(verdicts), decisions=(), nodes=nodes)
    [spread] = spreads(build.build_report(handed, lambda _: "").nodes)
    assert spread.unit == measured.OF_LIMIT
    assert spread.limits == (100.0,)
    assert [round(value, 1) for value in spread.values] == [99.7, 99.7]
