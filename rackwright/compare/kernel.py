"""What checks of the kernel log share: lines of some kinds, and how often something happened within a span of time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from rackwright import compare
from rackwright.model.check import Expectation
from rackwright.model.evidence.kernel_log import KernelLog, LinkChange
from rackwright.model.verdict import Finding, Outcome

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SHOWN_LINES, SHOWN_CHARACTERS = 3, 120


def judge_lines(
    expectation: Expectation, log: KernelLog, kinds: Sequence[str], *, what: str, bad: Outcome = Outcome.FAIL
) -> Finding:
    """More lines of any of `kinds` than the limit ``kernel.events`` of that kind allows give `bad`; a kind without limit is inconclusive."""
    rows = {kind: compare.limit(expectation, "kernel.events", kind=kind) for kind in kinds}
    limit_rows = {kind: row for kind, row in rows.items() if row is not None}
    if len(limit_rows) < len(rows):
        return compare.no_limit(expectation, "kernel.events")
    counts = Counter(event.kind for event in log.events)
    over = {kind for kind, row in limit_rows.items() if counts[kind] > compare.number(row)}
    wrong = [event.text[:SHOWN_CHARACTERS] for event in log.events if event.kind in over]
    # A part of its own: a waiver of what is shown does not cover what is not.
    more = [f"and {len(wrong) - SHOWN_LINES} more"] if len(wrong) > SHOWN_LINES else []
    return compare.finding(
        expectation,
        bad if over else Outcome.PASS,
        what=what,
        observed="; ".join([*wrong[:SHOWN_LINES], *more]) or "none",
        expected=", ".join(f"at most {row.value:g} of {kind.replace('_', ' ')}" for kind, row in limit_rows.items()),
        source="; ".join(dict.fromkeys(compare.limit_source(row) for row in limit_rows.values())),
    )


def most_within(times: Iterable[str], span: timedelta) -> int:
    """How many of `times` (ISO 8601) lie in the fullest window of length `span`."""
    at = sorted(map(datetime.fromisoformat, times))
    most = start = 0
    for end, moment in enumerate(at):
        while moment - at[start] >= span:
            start += 1
        most = max(most, end - start + 1)
    return most


def link_losses(changes: Iterable[LinkChange]) -> dict[str, list[str]]:
    """By port: when it went down after it had been up; the first words of a port that comes up at boot are no loss."""
    up: dict[str, bool] = {}
    by_port: dict[str, list[str]] = defaultdict(list)
    for link_change in sorted(changes, key=lambda change: datetime.fromisoformat(change.time)):
        times = by_port[link_change.port]
        if up.get(link_change.port) and not link_change.up:
            times.append(link_change.time)
        up[link_change.port] = link_change.up
    return dict(by_port)
