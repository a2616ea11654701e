"""Where circuits leave a bus: breaker, names, load and rating; shared gauge of the power diagram."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rackwright.report.drawing_data.flow_records import PowerWay, Tap
from rackwright.report.drawings import figures, metrics, svg

BREAKER = 7.0
WAY = 17.0


def gauge(
    x: float, y: float, wide: float, load: float, worst: float | None, capacity: float, feed: int
) -> Iterator[Markup]:
    """A bar that is full at `capacity`, filled up to `load`, with a mark at `worst`."""
    yield svg.element("rect", x=x, y=y, width=wide, height=4, class_="gauge")
    filled = wide * figures.share(load, capacity)
    if filled > 0.05:
        yield svg.element(
            "rect", x=x, y=y, width=filled, height=4, class_="over" if load > capacity else f"f{feed % 6}"
        )
    if worst is not None:
        at = x + wide * figures.share(worst, capacity)
        yield svg.element(
            "line", x1=at, x2=at, y1=y - 2.5, y2=y + 6.5, class_="tick over-tick" if worst > capacity else "tick"
        )


def drawing(tap: Tap, x: float, y: float, wide: float) -> Markup:
    """The circuits of one branch on one bus; the bus runs at `x`."""
    first = y + 11
    parts = [svg.title(_summary(tap) if tap.circuits else _way_says(tap.way))]
    if tap.way:
        parts += _way(tap.way, x, first, wide, tap.feed)
        first += WAY
    if not tap.circuits:
        return svg.element("g", *parts)
    parts += [
        svg.element("line", x1=x, x2=x + 20, y1=first - 3, y2=first - 3, class_=f"l{tap.feed % 6}", stroke_width=1.4),
        svg.element("circle", cx=x, cy=first - 3, r=3.2, class_=f"f{tap.feed % 6}"),
        svg.element("rect", x=x + 9, y=first - 3 - BREAKER / 2, width=BREAKER, height=BREAKER, class_="breaker"),
    ]
    load = figures.load_of_capacity(tap.load_kw, tap.usable_kw)
    name = tap.names[0] if tap.circuits == 1 else figures.span(tap.names[0], tap.names[-1], tap.circuits)
    forms = [
        f"{name} · {load}",
        f"{figures.count(tap.circuits, 'circuit')} · {load}",
        f"{tap.circuits} × · {load}",
        load,
    ]
    room = wide - 24
    parts.append(svg.text(metrics.first_fit(forms, room, 7.5), x=x + 24, y=first, class_="s"))
    share = tap.worst_share * tap.usable_kw
    parts += gauge(x + 24, first + 5, room - 34, tap.load_kw, share, tap.usable_kw, tap.feed)
    tone = "w" if tap.worst_share > 1 else "m"
    parts.append(svg.text(f"{tap.worst_share:.0%}", x=x + 24 + room, y=first + 10, class_=f"s e {tone}"))
    return svg.element("g", *parts)


def _way(way: PowerWay, x: float, y: float, wide: float, feed: int) -> Iterator[Markup]:
    """The busway between the bus and the circuits."""
    load = figures.load_of_capacity(way.load_kw, way.capacity_kw)
    many = f"{way.count} × " if way.count > 1 else ""
    forms = [f"{many}{way.sku} · {load}", f"{many}busway · {load}", f"busway {load}", load]
    yield svg.element("line", x1=x, x2=x + 20, y1=y - 3, y2=y - 3, class_=f"l{feed % 6}", stroke_width=3)
    share = way.worst_kw / way.capacity_kw if way.capacity_kw > 0 else 0.0
    room = wide - 24
    yield svg.text(metrics.first_fit(forms, room - 28, 7.5, bold=True), x=x + 24, y=y, class_="s b")
    yield svg.text(f"{share:.0%}", x=x + 24 + room, y=y, class_=f"s e {'w' if share > 1 else 'm'}")


def _way_says(way: PowerWay | None) -> str:
    if way is None:
        return "no circuits"
    load = figures.load_of_capacity(way.load_kw, way.capacity_kw)
    return f"{figures.count(way.count, 'busway')}, {way.sku}: {load}; after the worst loss {figures.kilowatts(way.worst_kw)}"


def _summary(tap: Tap) -> str:
    names = figures.span(tap.names[0], tap.names[-1], tap.circuits)
    above = f"; {_way_says(tap.way)}" if tap.way else ""
    return (
        f"{names}: {figures.count(tap.circuits, 'circuit')}, {figures.load_of_capacity(tap.load_kw, tap.usable_kw)}; "
        f"the fullest carries {tap.worst_share:.0%} of its rating after the worst loss; "
        f"phases {' / '.join(figures.amount(kw) for kw in tap.phase_kw)} kW{above}"
    )
