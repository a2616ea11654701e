"""Single-line power diagram: feeds, UPS and busbars from the top, racks or rows of racks hanging on them.

Every feed is a column: its source, its UPS, its bus; every branch is a line across
them with its circuits. Nothing crosses, so that the eye can follow any circuit to its feed.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rackwright.report.drawing_data.flow_records import Branch, SingleLine
from rackwright.report.drawing_data.records import PowerSource
from rackwright.report.drawings import figures, losses, metrics, power_tap, svg
from rackwright.report.drawings.sheet import LegendKey, SheetFrame, frame, stroke, swatch

NAME = 190.0
COLUMN = 214.0
BUS = 14.0
"""The bus of a feed, from the left end of its column."""
HEAD = 62.0
UPS = 58.0
ROW = 34.0
WAY = 17.0


def drawing(diagram: SingleLine, site: str) -> Markup:
    """The whole diagram."""
    width = NAME + COLUMN * len(diagram.sources)
    top = HEAD + (UPS if any(source.ups for source in diagram.sources) else 0.0) + 16
    body: list[Markup] = []
    y = top
    for branch in diagram.branches:
        high = _branch_height(branch)
        body += _branch(branch, y, high, width)
        y += high
    buses = [_bus(at, top - 16, y - 8) for at in range(len(diagram.sources))]
    heads = [part for at, source in enumerate(diagram.sources) for part in _source(source, at, top)]
    lost = losses.listed(diagram.losses, y, width)
    sheet = SheetFrame(
        ident="power",
        title="Single-line power diagram",
        facts=_facts(diagram),
        body=[*body, *buses, *heads, *lost.parts],
        width=width,
        height=y + lost.high,
        says=_summary(diagram),
        note=_note(diagram),
        keys=_keys(diagram),
    )
    return frame(sheet, site)


def _branch_height(branch: Branch) -> float:
    """Height of a branch; one without circuits has the busways of a row alone."""
    ways = WAY if any(tap.way for tap in branch.taps) else 0.0
    return ways + 16 if branch.taps and not any(tap.circuits for tap in branch.taps) else ROW + ways


def _bus(at: int, top: float, bottom: float) -> Markup:
    x = NAME + at * COLUMN + BUS
    return svg.element("line", x1=x, x2=x, y1=top, y2=bottom, class_=f"l{at % 6}", stroke_width=4)


def _source(source: PowerSource, at: int, top: float) -> Iterator[Markup]:
    """Utility symbol, name, rating and load, and the UPS below."""
    x, feed = NAME + at * COLUMN + BUS, at % 6
    room = COLUMN - BUS - 34
    yield svg.element("circle", cx=x, cy=18, r=13, class_=f"l{feed}", stroke_width=2)
    yield svg.element("path", d=f"M{x - 7:.1f} 18q3.5 -8 7 0t7 0", class_=f"l{feed}", stroke_width=1.6)
    yield svg.element("line", x1=x, x2=x, y1=31, y2=top - 16, class_=f"l{feed}", stroke_width=2)
    yield svg.text(metrics.fit(f"Feed {source.feed}", room, 11, bold=True), x=x + 20, y=14, class_="l b")
    load = figures.load_of_capacity(source.load_kw, source.capacity_kw)
    yield svg.text(metrics.fit(load, room, 9), x=x + 20, y=27)
    yield from power_tap.gauge(x + 20, 32, room - 10, source.load_kw, source.worst_kw, source.capacity_kw, feed)
    if source.worst_kw is not None:
        loss = f" without {source.worst_loss}" if source.worst_loss else ""
        words = [f"{figures.kilowatts(source.worst_kw)}{loss}", f"worst {figures.kilowatts(source.worst_kw)}"]
        over = " w" if source.worst_kw > source.capacity_kw else " m"
        yield svg.text(metrics.first_fit(words, room, 7.5), x=x + 20, y=49, class_=f"s{over}")
    if source.ups:
        yield from _ups(source, x, room, feed)


def _ups(source: PowerSource, x: float, room: float, feed: int) -> Iterator[Markup]:
    """The modules of one feed as stacked boxes with a rectifier and an inverter."""
    y = HEAD
    for behind in range(min(source.ups, 3) - 1, 0, -1):
        yield svg.element("rect", x=x - 11 + 2.5 * behind, y=y - 2.5 * behind, width=22, height=30, class_="case")
    yield svg.element("rect", x=x - 11, y=y, width=22, height=30, class_="case")
    yield svg.element(
        "path",
        d=f"M{x - 11:.1f} {y + 30:.1f}l22 -30M{x - 8:.1f} {y + 8:.1f}q2 -4 4 0t4 0M{x:.1f} {y + 22:.1f}h8m-8 3h8",
        class_="line",
    )
    size = f"{source.ups} × {source.ups_sku}"
    yield svg.text(metrics.fit(size, room, 9, bold=True), x=x + 20, y=y + 13, class_="b")
    if source.ups_kw:
        load = f"UPS {figures.load_of_capacity(source.ups_load_kw, source.ups_kw)} each"
        yield svg.text(metrics.fit(load, room, 7.5), x=x + 20, y=y + 24, class_="s")
        yield from power_tap.gauge(
            x + 20, y + 30, room - 10, source.ups_load_kw, source.ups_worst_kw, source.ups_kw, feed
        )


def _branch(branch: Branch, y: float, high: float, width: float) -> Iterator[Markup]:
    """One line across all feeds."""
    yield svg.element("line", x1=0, x2=width, y1=y + high - 4, y2=y + high - 4, class_="thin")
    middle = y + high / 2 - 2
    more = [figures.kilowatts(branch.kw)]
    if branch.racks > 1:
        more.insert(0, figures.count(branch.racks, "rack"))
    if branch.shelves:
        more.append(figures.count(branch.shelves, "power shelf", "power shelves"))
    elif branch.pdus:
        more.append(figures.count(branch.pdus, "rack PDU"))
    name = metrics.fit(branch.name, NAME - 12, 9, bold=True)
    parts = [
        svg.title(f"{branch.name}: {', '.join(more)}"),
        svg.text(name, x=0, y=middle - 1, class_="b"),
        svg.text(metrics.fit(", ".join(more), NAME - 12, 7.5), x=0, y=middle + 10, class_="s m"),
    ]
    yield svg.element("g", *parts)
    for tap in branch.taps:
        yield power_tap.drawing(tap, NAME + tap.feed * COLUMN + BUS, y, COLUMN - BUS - 12)


def _facts(diagram: SingleLine) -> list[str]:
    load = sum(source.load_kw for source in diagram.sources)
    racks = figures.count(len(diagram.sources), "feed")
    return [racks, f"{figures.kilowatts(load)} peak", f"circuits {diagram.circuit}", diagram.survives]


def _summary(diagram: SingleLine) -> str:
    feeds = "; ".join(
        f"feed {source.feed} carries {figures.load_of_capacity(source.load_kw, source.capacity_kw)}"
        for source in diagram.sources
    )
    return f"{feeds}. {figures.count(len(diagram.branches), 'branch', 'branches')}, one per {diagram.per}. {' '.join(diagram.losses)}".strip()


def _note(diagram: SingleLine) -> str:
    note = "Bars: load with everything alive, as a share of what the circuits can carry; the mark is the fullest circuit after the worst loss that must be survived."
    if diagram.per != "rack":
        note += f" Circuits are added up per {diagram.per}; `rackwright design --table circuits` has each of them."
    return note


def _keys(diagram: SingleLine) -> list[LegendKey]:
    keys = [
        LegendKey(stroke(f"l{at % 6}", stroke_width=4), f"bus of feed {source.feed}")
        for at, source in enumerate(diagram.sources)
    ]
    keys.append(LegendKey(swatch("open"), "breaker"))
    keys.append(
        LegendKey(
            svg.element("rect", x=0, y=4, width=16, height=4, class_="gauge")
            + svg.element("line", x1=11, x2=11, y1=1, y2=11, class_="tick"),
            "share used, after the worst loss",
        )
    )
    return keys
