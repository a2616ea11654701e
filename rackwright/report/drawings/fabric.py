"""One InfiniBand fabric: machines per rack below, leaf, spine and core switches above, cables bundled between them.

A planned bundle is one thin line per rack and switch, however many cables are in it; a wrong
cable is a line of its own from its machine to where it was seen, and a dashed one to where it belongs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from markupsafe import Markup

from rackwright.report.drawings import svg
from rackwright.report.drawings.rack import MARKS
from rackwright.report.view import CableBundle, NodeStatus, RackGroup, ReportFabric, WrongCable

CELL = 23.0
CELL_HIGH = 22.0
GAP = 14.0
TIER_HIGH = 150.0
SWITCH_HIGH = 22.0
MARGIN = 14.0
TOP = 16.0
LABELS = 64.0
NARROWEST = 860.0
FONT = 9.0
SWITCH_WIDEST = 124.0
SWITCH_NARROWEST = 26.0


@dataclass(frozen=True)
class Point:
    """Where a line may end: the middle of a box, its upper and its lower edge."""

    x: float
    upper: float
    lower: float


def drawing(fabric: ReportFabric) -> Markup:
    """The whole fabric."""
    switches = max((len(tier) for tier in fabric.tiers.values()), default=0)
    width = max(NARROWEST, LABELS + max(_ends_wide(fabric), switches * SWITCH_NARROWEST) + MARGIN)
    points, boxes, height = _place(fabric, width)
    drawn_cables = {(cable.node, cable.planned_device) for cable in fabric.wrong}
    lines = [_bundle(bundle, points) for bundle in fabric.bundles if bundle.a in points and bundle.b in points]
    wrong = [line for cable in fabric.wrong for line in _wrong_cable_lines(cable, points)]
    cables = sum(bundle.cables for bundle in fabric.bundles)
    says = (
        f"{cables} planned cables in {len(fabric.bundles)} bundles; {len(drawn_cables)} in another place than planned"
    )
    name = f"Fabric {fabric.name}, {fabric.topology}"
    return svg.drawing(name, says, width, height, *lines, *boxes, *wrong, ident=f"fabric-{fabric.name}")


def _ends_wide(fabric: ReportFabric) -> float:
    return sum(len(group.nodes) * CELL for group in fabric.groups) + GAP * max(0, len(fabric.groups) - 1)


def _place(fabric: ReportFabric, width: float) -> tuple[dict[str, Point], list[Markup], float]:
    """Every box with its place: switches from the top tier down, then the machines."""
    points: dict[str, Point] = {}
    boxes: list[Markup] = []
    y = TOP
    for tier in reversed(fabric.tiers):
        boxes.append(svg.text(tier, x=MARGIN, y=y + SWITCH_HIGH / 2 + 3, class_="tier"))
        boxes += _switches(fabric, fabric.tiers[tier], y, width, points)
        y += TIER_HIGH
    boxes.append(svg.text("nodes", x=MARGIN, y=y + CELL_HIGH / 2 + 3, class_="tier"))
    boxes += _groups(fabric, y, width, points)
    return points, boxes, y + CELL_HIGH + 30


def _switches(fabric: ReportFabric, names: list[str], y: float, width: float, points: dict[str, Point]) -> list[Markup]:
    room = (width - LABELS - MARGIN) / max(1, len(names))
    wide = min(SWITCH_WIDEST, room - 6)
    boxes = []
    for index, name in enumerate(names):
        x = LABELS + room * (index + 0.5)
        points[name] = Point(x, y, y + SWITCH_HIGH)
        label = svg.text(
            _label(name, fabric.name, wide - 4), x=x, y=y + SWITCH_HIGH / 2 + 3, class_="label", text_anchor="middle"
        )
        box = svg.element("rect", x=x - wide / 2, y=y, width=wide, height=SWITCH_HIGH, class_="switch")
        boxes.append(svg.element("g", svg.title(f"{name}, {fabric.switch}"), box, label))
    return boxes


def _label(name: str, fabric: str, room: float) -> str:
    """The longest of ``compute-leaf-01``, ``leaf-01`` and ``01`` that fits."""
    forms = [name, name.removeprefix(f"{fabric}-"), name.rpartition("-")[2]]
    return next((form for form in forms if svg.shorten(form, room, FONT) == form), forms[-1])


def _groups(fabric: ReportFabric, y: float, width: float, points: dict[str, Point]) -> list[Markup]:
    pool = _pool(fabric)
    x = LABELS + (width - LABELS - MARGIN - _ends_wide(fabric)) / 2
    boxes: list[Markup] = []
    for group in fabric.groups:
        wide = len(group.nodes) * CELL
        points[group.name] = Point(x + wide / 2, y - 4, y + CELL_HIGH)
        boxes.append(svg.element("line", x1=x, x2=x + wide, y1=y - 4, y2=y - 4, class_="rail"))
        boxes += _cells(group, x, y, pool, points)
        boxes.append(
            svg.text(
                svg.shorten(group.name, wide + GAP - 4, FONT - 0.5),
                x=x + wide / 2, y=y + CELL_HIGH + 13, class_="group", text_anchor="middle",
            )
        )  # fmt: skip
        x += wide + GAP
    return boxes


def _cells(group: RackGroup, x: float, y: float, pool: str, points: dict[str, Point]) -> list[Markup]:
    cells = []
    for node, status in group.nodes.items():
        points[node] = Point(x + CELL / 2, y, y + CELL_HIGH)
        box = {"x": x + 1, "y": y, "width": CELL - 2, "height": CELL_HIGH}
        parts = [svg.title(f"{node}, rack {group.name}: {status.replace('_', ' ')}")]
        parts.append(svg.element("rect", class_=f"device {status}", **box))
        if status is NodeStatus.REFUSED:
            parts.append(svg.element("rect", class_="hatch", fill="url(#hatch)", **box))
        label = svg.shorten(_short_name(node, pool), CELL, FONT)
        parts.append(svg.text(label, x=x + CELL / 2, y=y + 10, class_="label", text_anchor="middle"))
        parts.append(svg.text(MARKS[status], x=x + CELL / 2, y=y + 19.5, class_="mark", text_anchor="middle"))
        cells.append(svg.element("g", *parts))
        x += CELL
    return cells


def _pool(fabric: ReportFabric) -> str:
    """The most frequent prefix of node names, which the drawing leaves out."""
    names = Counter(node.rpartition("-")[0] for group in fabric.groups for node in group.nodes)
    return names.most_common(1)[0][0] if names else ""


def _short_name(node: str, pool: str) -> str:
    """Number of a node of `pool` (3 for ``train-003``); other names keep their first letter (u1 for ``ufm-01``)."""
    name, _, number = node.rpartition("-")
    digits = number.lstrip("0") or number
    return digits if name == pool else f"{name[:1]}{digits}"


def _bundle(bundle: CableBundle, points: dict[str, Point]) -> Markup:
    a, b = points[bundle.a], points[bundle.b]
    plural = "s" if bundle.cables > 1 else ""
    says = f"{bundle.a} to {bundle.b}: {bundle.cables} cable{plural} of {bundle.gbps} Gb/s"
    thick = min(2.2, 0.5 + bundle.cables / 12)
    # Switches of one tier that are joined directly: the line runs behind the boxes, at half their height.
    start, end = (a.upper, b.lower) if a.upper != b.upper else ((a.upper + a.lower) / 2,) * 2
    line = svg.element("line", x1=a.x, y1=start, x2=b.x, y2=end, class_="bundle", stroke_width=thick)
    return svg.element("g", svg.title(says), line)


def _wrong_cable_lines(cable: WrongCable, points: dict[str, Point]) -> list[Markup]:
    """A dashed line to the planned device, and a solid one to the observed device if a link was observed."""
    near, planned, actual = (points.get(name) for name in (cable.node, cable.planned_device, cable.found_device))
    belongs = f"belongs in {cable.planned_device} {cable.planned_port}"
    was = f"was seen in {cable.found_device} {cable.found_port}" if cable.found_device else "was not seen"
    title = svg.title(f"{cable.node} {cable.port}: {was}, {belongs}")
    lines = []
    if near and planned and planned is not actual:
        line = svg.element("line", x1=near.x, y1=near.upper, x2=planned.x, y2=planned.lower, class_="missing")
        lines.append(svg.element("g", title, line))
    if near and actual:
        line = svg.element("line", x1=near.x, y1=near.upper, x2=actual.x, y2=actual.lower, class_="wrong")
        lines.append(svg.element("g", title, line))
    return lines
