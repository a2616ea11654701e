"""What an accepted fleet measured.

A baseline is shown beside a limit and decides nothing; whoever wants it to decide judges with it (``--limits``), and sees
which verdicts flip.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from statistics import median

from rackwright.compare.limits import described
from rackwright.model.check import Limit
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome, Verdict

REFUSED = (Outcome.FAIL, Outcome.INCONCLUSIVE)
DIGITS = 6
"""Significant digits that a row keeps: more than any reading has."""


def learn(design: Design, verdicts: Sequence[Verdict], runs: Sequence[str], day: date) -> list[Limit]:
    """One row per metric, key and kind of node, in order: the median over nodes and their median absolute deviation.

    A row has every key of such nodes, so it is more specific than any shipped limit and decides when it is used (``--limits``).

    A node counts when no verdict on it is fail or inconclusive; of a node that measured several parts the worst one counts.
    `runs` and `day` name the evidence in the rows.
    """
    refused = {verdict.target for verdict in verdicts if verdict.outcome in REFUSED}
    kinds = {node.name: described(node) for node in design.nodes()}
    readings: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[float]] = defaultdict(list)
    for verdict_read in verdicts:
        if (
            verdict_read.metric
            and verdict_read.value is not None
            and verdict_read.target not in refused
            and verdict_read.outcome == Outcome.PASS
        ):
            key = {**verdict_read.key, **kinds[verdict_read.target]}
            readings[verdict_read.metric, verdict_read.unit, tuple(sorted(key.items()))].append(verdict_read.value)
    source = f"measured at acceptance of site {design.site.site}, evidence {', '.join(runs)}"
    return [_row(*about, values, source, day) for about, values in sorted(readings.items())]


def _row(
    metric: str, unit: str, key: Iterable[tuple[str, str]], values: Sequence[float], source: str, day: date
) -> Limit:
    middle = median(values)
    return Limit(
        metric=metric,
        match=dict(key),
        value=rounded(middle),
        unit=unit,
        source=source,
        date=day.isoformat(),
        kind="measured",
        samples=len(values),
        spread=rounded(median(abs(value - middle) for value in values)),
    )


def rounded(value: float) -> float:
    """`value` with as many digits as a row keeps."""
    return float(f"{value:.{DIGITS}g}")
