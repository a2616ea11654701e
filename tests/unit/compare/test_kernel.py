"""How often something happened within an hour, and losses of links."""

from __future__ import annotations

from datetime import timedelta

import pytest

from rackwright.compare import kernel
from rackwright.model.evidence.kernel_log import LinkChange


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
