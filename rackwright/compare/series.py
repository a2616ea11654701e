"""Series of readings over time."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from math import isnan

from rackwright.compare.limits import limit, limit_source, no_limit, number
from rackwright.compare.named_readings import all_good
from rackwright.compare.readings import finding
from rackwright.model.check import Expectation, Limit
from rackwright.model.lazy_finding import passed
from rackwright.model.verdict import Finding, Outcome

Series = Sequence[float | int | None]
SHORTEST = 3
"""Least number of values whose median is unaffected by one disturbed value."""


def middle(values: Iterable[float | int | None]) -> float | None:
    """The median; None without values, or if one is missing or not a number: a gap may hide the slow part."""
    try:
        ordered: list[float] = sorted(values)  # type: ignore[arg-type]
        total = sum(ordered)
    except TypeError:  # None cannot be compared or added: this finds a gap in half the time of a search
        return None
    return None if not ordered or isnan(total) else _middle_of(ordered)


def _middle_of(ordered: Sequence[float]) -> float:
    """The median of values in ascending order; there must be at least one."""
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def is_complete(values: Series) -> bool:
    """Whether no value is missing or not a number."""
    try:
        return not isnan(sum(values))  # type: ignore[arg-type]
    except TypeError:
        return False


def mostly_read(values: Sequence[object]) -> bool:
    """Whether more than half of the values were read: a few samples do not represent the whole test."""
    return 2 * sum(value is not None for value in values) > len(values)


def late_median(values: Series) -> float | None:
    """The median of the second half, when boost clocks have ended and heat has settled; None as for `middle`."""
    return middle(values[len(values) // 2 :])


def lowest_stretch(values: Sequence[float], stretch: int) -> float:
    """The lowest median of any `stretch` consecutive values: a step or a slow decline lowers it, one disturbed value
    does not.
    """
    ordered = sorted(values[:stretch])
    lowest = _middle_of(ordered)
    # Sorting each stretch takes twice as long.
    for first, following in zip(values, values[stretch:], strict=False):
        del ordered[bisect_left(ordered, first)]
        insort(ordered, following)
        lowest = min(lowest, _middle_of(ordered))
    return lowest


def judge_steady(expectation: Expectation, series: Mapping[str, Series], *, what: str) -> Finding:
    """No series may fall below ``peers.step_share`` of its beginning for as long as a quarter of it.

    The beginning is the median of the first quarter after ``burn.settle_share``, when boost clocks have ended. A series
    with a gap or with fewer than ``peers.fewest_samples`` values is inconclusive; below ``policy.floor_share`` it
    fails, between both it is degraded.
    """
    names = ("peers.step_share", "policy.floor_share", "peers.fewest_samples", "burn.settle_share")
    step, floor, fewest, settle = (limit(expectation, name) for name in names)
    if step is None or floor is None or fewest is None or settle is None:
        return no_limit(expectation, "peers.step_share")
    least, shortest, settled = number(step), number(fewest), number(settle)
    if all_good(series, lambda values: _never_below(values, least, shortest, settled)):
        return passed(lambda: _hold_finding(expectation, series, (step, number(floor), shortest, settled), what))
    return _hold_finding(expectation, series, (step, number(floor), shortest, settled), what)


def _hold_finding(
    expectation: Expectation, series: Mapping[str, Series], policy: tuple[Limit, float, float, float], what: str
) -> Finding:
    """The finding of `judge_steady`; `policy` is the limit of a step, the floor, the fewest samples, the share of time
    to settle.
    """
    step, floor, shortest, settled = policy
    least = number(step)
    shares: dict[str, float] = {}
    unread: list[str] = []
    for part, values in series.items():
        values_read = [value for value in values if value is not None and not isnan(value)]
        share = _kept_share(values_read[int(len(values_read) * settled) :])
        if share is None or not is_complete(values) or len(values) < shortest:
            unread.append(part)
        else:
            shares[part] = share
    bad = {part: share for part, share in shares.items() if share < least}
    outcome = _outcome(bad, floor, unread=bool(unread or not shares))
    sentences = [f"{part}: {share:.1%} of its beginning" for part, share in bad.items()]
    sentences += [f"fewer than {shortest:g} samples, or gaps: {', '.join(unread)}"] if unread else []
    lowest = min(shares, key=lambda part: shares[part], default=None)
    if not sentences:
        sentences = ["nothing to read" if lowest is None else f"{shares[lowest]:.1%} ({lowest}, of {len(shares)})"]
    return finding(
        expectation,
        outcome,
        what=what,
        observed="; ".join(sentences),
        expected=f"at least {least:.0%}",
        source=limit_source(step),
        value=None if lowest is None else shares[lowest],
        unit="share",
        limit=least,
    )


def _never_below(values: Series, least: float, shortest: float, settled: float) -> bool:
    """Whether a series without a gap has no value below `least` of its beginning; then no median of its values is."""
    if len(values) < shortest or not is_complete(values):
        return False
    settled_values: Sequence[float] = values[int(len(values) * settled) :]  # type: ignore[assignment]
    beginning = middle(settled_values[: _quarter(settled_values)])
    return beginning is not None and beginning > 0 and min(settled_values) / beginning >= least


def _quarter(values: Sequence[float]) -> int:
    """Number of values in a quarter of a series, at least `SHORTEST`."""
    return max(SHORTEST, len(values) // 4)


def _kept_share(values: Sequence[float]) -> float | None:
    quarter = _quarter(values)
    beginning = _middle_of(sorted(values[:quarter])) if values else 0
    return lowest_stretch(values, quarter) / beginning if beginning else None


def _outcome(bad: Mapping[str, float], floor: float, *, unread: bool) -> Outcome:
    if any(share < floor for share in bad.values()):
        return Outcome.FAIL
    if unread:
        return Outcome.INCONCLUSIVE
    return Outcome.DEGRADED if bad else Outcome.PASS
