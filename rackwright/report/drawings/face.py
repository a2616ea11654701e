"""One side of a rack: frame, unit numbers, and boxes in their units; shared by front and rear.

U1 is at the bottom, as on the rack itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rackwright.report.drawings import svg

U = 13.0
INNER = 232.0
SCALE = 20.0
"""Room for the unit numbers at one side."""


def top_of(unit: int, height: int, rack_units: int) -> float:
    """The y of the upper edge of a device that starts at `unit` and is `height` units high."""
    return (rack_units - unit - height + 1) * U


def frame(x: float, y: float, rack_units: int, name: str) -> Iterator[Markup]:
    """The empty rack, with its side written above it."""
    yield svg.text(name, x=x + INNER / 2, y=y - 8, class_="b c")
    yield svg.element("rect", x=x - 2, y=y - 2, width=INNER + 4, height=rack_units * U + 4, class_="frame")
    lines = "".join(f"M{svg.number(x)} {svg.number(y + at * U)}h{svg.number(INNER)}" for at in range(1, rack_units))
    yield svg.element("path", d=lines, class_="thin")


def scale(x: float, y: float, rack_units: int) -> Iterator[Markup]:
    """The unit numbers, right-aligned at `x`."""
    for unit in range(1, rack_units + 1):
        yield svg.text(str(unit), x=x, y=y + top_of(unit, 1, rack_units) + U - 3.6, class_="s e m")
