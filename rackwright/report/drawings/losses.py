"""The list of simulated losses under a drawing.

Shared by the power diagram and the cooling drawings.
"""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from rackwright.report.drawings import metrics, svg

LINE = 12.0
HEAD = 26.0


@dataclass(frozen=True)
class Listed:
    """The drawn list."""

    parts: list[Markup]
    high: float


def listed(losses: list[str], y: float, width: float) -> Listed:
    """The list with its upper edge at `y`; empty if no loss was simulated."""
    if not losses:
        return Listed([], 0.0)
    parts = [svg.text("Losses that were simulated, worst first", x=0, y=y + HEAD - 6, class_="b")]
    at = y + HEAD
    for says in losses:
        for number, line in enumerate(metrics.wrap(says, width - 12, 8.5)):
            at += LINE
            parts.append(svg.text(line, x=10.0 if number else 0.0, y=at - 3, class_="n"))
    return Listed(parts, at - y + 4)
