"""Shared by the checks of the kernel log: the frequency of events within a span of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from rackwright.model.evidence.kernel_log import LinkChange

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def most_within(times: Iterable[str], span: timedelta) -> int:
    """Number of `times` (ISO 8601) in the fullest window of length `span`."""
    at = sorted(map(datetime.fromisoformat, times))
    most = start = 0
    for end, moment in enumerate(at):
        while moment - at[start] >= span:
            start += 1
        most = max(most, end - start + 1)
    return most


def link_losses(changes: Iterable[LinkChange]) -> dict[str, list[str]]:
    """Port -> times at which it went down after it had been up; the first message of a port that comes up at boot is no
    loss.
    """
    up: dict[str, bool] = {}
    by_port: dict[str, list[str]] = defaultdict(list)
    for link_change in sorted(changes, key=lambda change: datetime.fromisoformat(change.time)):
        times = by_port[link_change.port]
        if up.get(link_change.port) and not link_change.up:
            times.append(link_change.time)
        up[link_change.port] = link_change.up
    return dict(by_port)
