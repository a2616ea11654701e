"""Lines of the kernel log against their limits, and losses of links within an hour."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from rackwright.compare import kernel
from rackwright.judge.limits import LimitTable
from rackwright.model.evidence.kernel_log import KernelEvent, KernelLog, LinkChange
from rackwright.model.verdict import Outcome
from tests import build

LIMITS = {"oops": 0, "hung_task": 2}


def judged(*events: str, kinds=("oops", "hung_task"), **change):
    """The finding of lines of kinds ``oops`` and ``hung_task``; none and two are allowed."""
    rows = [build.limit("kernel.events", match={"kind": kind}, value=most) for kind, most in LIMITS.items()]
    limits = LimitTable((), tuple(map(build.row, rows)))
    log = build.healthy_record(KernelLog).model_copy(
        update={"events": [KernelEvent(time="", kind=event.split(" ")[0], text=event) for event in events]}
    )
    return kernel.judge_lines(replace(build.expectation(), limits=limits), log, kinds, what="lines:", **change)


@pytest.mark.parametrize(
    ("events", "outcome", "observed"),
    [
        ([], "pass", "none"),
        (["hung_task"] * 2, "pass", "none"),
        (["hung_task", "io_error", "io_error", "io_error"], "pass", "none"),
        (["hung_task a", "hung_task b", "hung_task c"], "fail", "hung_task a; hung_task b; hung_task c"),
        (["hung_task a"] * 4, "fail", "hung_task a; hung_task a; hung_task a; and 1 more"),
        (["oops", "hung_task"], "fail", "oops"),
        (["oops " + "x" * 200], "fail", "oops " + "x" * 115),
    ],
)
def test_more_lines_than_the_limit_of_their_kind_are_shown(events, outcome, observed) -> None:
    finding = judged(*events)
    assert (finding.outcome, finding.observed) == (outcome, observed)
    assert finding.expected == "at most 0 of oops, at most 2 of hung task"
    assert finding.source == "limit kernel.events: a paper, 2026-01-01"
    assert finding.says.startswith("train-001: lines: ")


def test_the_outcome_is_chosen_and_a_kind_without_limit_is_inconclusive() -> None:
    assert judged("oops", bad=Outcome.DEGRADED).outcome == Outcome.DEGRADED
    finding = judged(kinds=("oops", "panic"))
    assert finding.outcome == Outcome.INCONCLUSIVE
    assert "no limit for kernel.events" in finding.says


def clock(minutes: float) -> str:
    return f"2026-11-21T{8 + int(minutes // 60):02d}:{int(minutes % 60):02d}:{round(minutes % 1 * 60):02d}+0000"


@pytest.mark.parametrize(
    ("minutes", "most"),
    [([], 0), ([5], 1), ([0, 59, 118], 2), ([0, 60], 1), ([0, 59.9], 2), ([90, 0, 30, 60, 61, 89], 4), ([7, 7, 7], 3)],
)
def test_most_within_an_hour(minutes, most) -> None:
    assert kernel.most_within(map(clock, minutes), kernel.HOUR) == most
    assert kernel.DAY == 24 * kernel.HOUR == timedelta(hours=24)


def test_a_port_that_comes_up_loses_nothing() -> None:
    words = [("a", 1, False), ("a", 2, True), ("b", 3, True), ("a", 5, False), ("a", 4, True), ("a", 6, False)]
    changes = [LinkChange(port=port, time=clock(minutes), up=up) for port, minutes, up in words]
    assert kernel.link_losses(changes) == {"a": [clock(5)], "b": []}
