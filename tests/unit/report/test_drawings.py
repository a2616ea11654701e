from __future__ import annotations

from xml.etree import ElementTree

import pytest

from rackwright.report import build
from rackwright.report.drawings import fabric, rack, svg
from rackwright.report.view import CableBundle, NodeStatus, RackGroup, ReportFabric, WrongCable

SVG = "{http://www.w3.org/2000/svg}"
EDGES = {"x": 0, "y": 1, "x1": 0, "x2": 0, "y1": 1, "y2": 1}


def parsed(markup):
    return ElementTree.fromstring(str(markup))


def inside(root):
    """Every coordinate lies inside the view box, and every rectangle ends inside it."""
    _, _, width, height = map(float, root.get("viewBox").split())
    for element in root.iter():
        for key, axis in EDGES.items():
            assert 0 <= float(element.get(key, 0)) <= (width, height)[axis], (element.tag, key)
        if element.tag == f"{SVG}rect":
            assert float(element.get("x")) + float(element.get("width")) <= width
            assert float(element.get("y")) + float(element.get("height")) <= height


def boxes(root, cls="device"):
    return [
        tuple(float(e.get(k)) for k in ("x", "y", "width", "height"))
        for e in root.iter(f"{SVG}rect")
        if e.get("class", "").split()[0] == cls
    ]


def overlapping(rectangles):
    pairs = [(a, b) for i, a in enumerate(rectangles) for b in rectangles[i + 1 :]]
    return [
        (a, b)
        for a, b in pairs
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
    ]


def wide_fabric(racks=8, per_rack=4, rails=8, spines=4):
    leaves = [f"compute-leaf-{i:02d}" for i in range(1, rails + 1)]
    tops = [f"compute-spine-{i:02d}" for i in range(1, spines + 1)]
    groups = [
        RackGroup(
            name=f"h1-r1-p{r:02d}",
            nodes={f"train-{r * per_rack + n + 1:03d}": NodeStatus.REFUSED for n in range(per_rack)},
        )
        for r in range(racks)
    ]
    bundles = [CableBundle(a=g.name, b=leaf, cables=per_rack, gbps=400) for g in groups for leaf in leaves]
    bundles += [CableBundle(a=leaf, b=top, cables=8, gbps=400) for leaf in leaves for top in tops]
    wrong = [
        WrongCable(
            cable="c1", node="train-003", port="mlx5_0", planned_device=leaves[0], planned_port="p1",
            found_device=leaves[-1], found_port="p9",
        )
    ]  # fmt: skip
    tiers = {"leaf": leaves, "spine": tops}
    return ReportFabric(
        name="compute",
        topology="rail-optimized",
        switch="qm9700",
        tiers=tiers,
        groups=groups,
        groups_left_out=0,
        bundles=bundles,
        wrong=wrong,
    )


@pytest.fixture
def report(handover):
    return build.build_report(handover, lambda _check: "")


def test_racks_hold_every_device_in_its_units_without_overlap(report):
    for rack_face in report.racks:
        root = parsed(rack.elevation(rack_face))
        inside(root)
        drawn = boxes(root)
        assert len(drawn) == len(rack_face.devices)
        assert overlapping(drawn) == []
        for device, (_, y, _, height) in zip(rack_face.devices, drawn, strict=True):
            assert y == pytest.approx(rack.top_of(device.unit, device.rack_units, rack_face.rack_units) + 0.5)
            assert height == pytest.approx(device.rack_units * rack.U - 1)


def test_u1_is_at_the_bottom_and_the_top_unit_at_the_top():
    assert rack.top_of(48, 1, 48) == rack.TOP
    assert rack.top_of(1, 1, 48) == rack.TOP + 47 * rack.U
    assert rack.top_of(1, 8, 48) == rack.TOP + 40 * rack.U


def test_status_is_told_by_colour_mark_and_hatching(report):
    text = str(rack.elevation(report.racks[0]))
    assert "device accepted" in text
    assert "device refused" in text
    assert "✓" in text
    assert "✕" in text
    assert text.count("url(#hatch)") == 1


def test_fabric_of_the_run_lies_inside_its_view_box(report):
    root = parsed(fabric.drawing(report.fabrics[0]))
    inside(root)
    assert overlapping(boxes(root) + boxes(root, "switch")) == []
    assert len(root.findall(f".//{SVG}line[@class='wrong']")) == 2


@pytest.mark.parametrize("shape", [(8, 4, 8, 4), (1, 1, 1, 1), (32, 4, 32, 16)])
def test_fabric_stays_inside_and_readable_at_any_size(shape):
    root = parsed(fabric.drawing(wide_fabric(*shape)))
    inside(root)
    assert overlapping(boxes(root) + boxes(root, "switch")) == []


def test_a_cable_in_another_switch_is_drawn_twice(report):
    root = parsed(fabric.drawing(wide_fabric()))
    assert len(root.findall(f".//{SVG}line[@class='wrong']")) == 1
    assert len(root.findall(f".//{SVG}line[@class='missing']")) == 1
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert "train-003 mlx5_0: was seen in compute-leaf-08 p9, belongs in compute-leaf-01 p1" in titles


def test_bundles_count_their_cables(report):
    bundles = {(b.a, b.b): b.cables for b in report.fabrics[0].bundles}
    assert bundles["r1", "compute-leaf-01"] == 2
    assert bundles["compute-leaf-01", "compute-spine-01"] == 2


def test_drawings_have_a_name_and_a_description(report):
    for markup in (rack.elevation(report.racks[0]), fabric.drawing(report.fabrics[0])):
        root = parsed(markup)
        assert root[0].tag == f"{SVG}title"
        assert root[1].tag == f"{SVG}desc"
        assert root.get("aria-labelledby") == f"{root[0].get('id')} {root[1].get('id')}"


def test_text_and_attributes_are_escaped():
    markup = svg.text("<b>&", x=1.0, class_='"><x>')
    assert str(markup) == '<text x="1" class="&#34;&gt;&lt;x&gt;">&lt;b&gt;&amp;</text>'


def test_long_words_are_shortened_to_fit():
    assert svg.shorten("compute-leaf-01", 200, 8.5) == "compute-leaf-01"
    assert svg.shorten("compute-leaf-01", 40, 8.5) == "comput…"


def test_switches_are_called_by_what_fits():
    assert fabric._label("compute-leaf-01", "compute", 200) == "compute-leaf-01"
    assert fabric._label("compute-leaf-01", "compute", 50) == "leaf-01"
    assert fabric._label("compute-leaf-01", "compute", 12) == "01"
