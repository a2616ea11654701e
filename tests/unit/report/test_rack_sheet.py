"""Front and rear of racks."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright.model.sku import Server
from rackwright.report.drawing_data import racks
from rackwright.report.drawing_data.records import Face, FaceSlot, FaceStrip, Shelf
from rackwright.report.drawings import face, rack_sheet, rear_device
from tests import build
from tests.unit.report import geometry, scenes


def slot(**change) -> FaceSlot:
    fields = {
        "device": "train-001", "kind": "server", "role": "accelerator", "sku": "box", "unit": 1, "rack_units": 8, "kw": 10.2,
        "kg": 130.4, "airflow": "front-to-rear", "liquid": False, "circuits": ["A1", "B1"], "phases": ["L1", ""], "feeds": [0, 1],
        "cables": {"compute": 8}, "ports": "",
    }  # fmt: skip
    return FaceSlot(**{**fields, **change})


def rack(*slots: FaceSlot, **change) -> Face:
    strips = [FaceStrip(circuit=f"{feed}1", feed=at, load_kw=13.6, usable_kw=32.8) for at, feed in enumerate("ABC")]
    fields = {
        "rack": "train-r01", "place": "hall-1 · row 1 · position 1", "sku": "rack-48u", "rack_units": 48, "kw": 40.8, "liquid_kw": 0.0,
        "kg": 522.0, "limit_kg": 1361.0, "slots": list(slots), "strips": strips, "pdu": "", "shelves": [], "busbar_amps": 0,
        "leak_detector": False, "alike": ["train-r01"],
    }  # fmt: skip
    return Face(**{**fields, **change})


CASES = {
    "servers": rack(*(slot(device=f"train-{n}", unit=8 * n + 1) for n in range(4))),
    "switches": rack(*(slot(device=f"compute-leaf-{n:02d}", kind="switch", unit=n + 1, rack_units=1, ports="10" * 32) for n in range(48))),
    "large switch": rack(slot(kind="switch", unit=3, rack_units=4, ports="1" * 144, circuits=["A1", "B1"] * 4, feeds=[0, 1] * 4, phases=[""] * 8)),
    "twelve supplies": rack(slot(rack_units=10, circuits=["A1", "B12"] * 6, feeds=[0, 1] * 6, phases=["L1"] * 12)),
    "supplies in one unit": rack(slot(rack_units=1, circuits=["A10", "B10", "C10"] * 4, feeds=[0, 1, 2] * 4, phases=[""] * 12)),
    "liquid": rack(*(slot(unit=n + 1, rack_units=1, liquid=True, circuits=[], feeds=[], phases=[]) for n in range(18)), liquid_kw=98.0, leak_detector=True),
    "busbar": rack(shelves=[Shelf(name=f"shelf{n}", circuits=["A1"], feeds=[0], kw=33, unit=48 - n, rack_units=1) for n in range(8)], busbar_amps=1400),
    "long names": rack(slot(device="a-very-long-name-of-a-device-" * 3, sku="part-" * 30, cables={f"fabric-{n}" * 3: n for n in range(9)})),
    "many circuits": rack(strips=[FaceStrip(circuit=f"{f}{n}", feed=at, load_kw=7, usable_kw=32.8) for at, f in enumerate("AB") for n in range(8)], pdu="pdu-415v-60a"),
    "alike": rack(slot(), alike=[f"train-r{n:02d}" for n in range(300)]),
    "empty": rack(strips=[]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_rack_is_legible(case):
    geometry.assert_sound(rack_sheet.drawing(CASES[case], ["A", "B", "C"], "tiny"))


def test_every_device_stands_in_its_units_on_both_sides():
    root = geometry.parsed(rack_sheet.drawing(CASES["servers"], ["A", "B", "C"], "tiny"))
    boxes = [r for r in root.iter(f"{geometry.SVG}rect") if r.get("class") == "server" and float(r.get("width")) > 100]
    assert len(boxes) == 8
    assert {float(box.get("height")) for box in boxes} == {8 * face.U - 1}
    lefts = sorted({float(box.get("x")) for box in boxes})
    assert len(lefts) == 2
    tops = sorted(float(box.get("y")) for box in boxes if float(box.get("x")) == lefts[0])
    assert geometry.columns(tops) == [8 * face.U] * 3


def test_u1_is_at_the_bottom():
    assert face.top_of(48, 1, 48) == 0
    assert face.top_of(1, 1, 48) == 47 * face.U
    assert face.top_of(1, 8, 48) == 40 * face.U


def test_every_unit_has_its_number_on_both_sides():
    root = geometry.parsed(rack_sheet.drawing(CASES["servers"], ["A", "B", "C"], "tiny"))
    numbers = [word.text for word in geometry.words(root) if word.text.isdigit()]
    assert sorted(numbers, key=int) == [str(n) for n in range(1, 49) for _ in range(2)]


def test_supplies_carry_the_colour_of_their_feed_and_the_name_of_their_circuit():
    root = geometry.parsed(rack_sheet.drawing(rack(slot()), ["A", "B", "C"], "tiny"))
    supplies = [r for r in root.iter(f"{geometry.SVG}rect") if r.get("height") == "10"]
    assert [box.get("class") for box in supplies] == ["f0", "f1"]
    assert any("PSU 1 on A1 (L1), PSU 2 on B1" in title for title in geometry.titles(root))


def test_ports_are_as_many_as_the_switch_has():
    marks, wide = rear_device._ports(slot(kind="switch", rack_units=1, ports="110010"), 100.0, 0.0, 13.0)
    assert wide == pytest.approx(3 * (rear_device.PORT + rear_device.GAP))
    assert len(marks) == 2


def test_fans_that_blow_to_the_front_are_marked():
    drawn = str(
        rack_sheet.drawing(rack(slot(kind="switch", rack_units=1, airflow="rear-to-front", ports="1")), ["A"], "tiny")
    )
    assert "air from rear" in drawn
    assert "air from rear" not in str(rack_sheet.drawing(rack(slot()), ["A"], "tiny"))


def test_racks_of_the_tables_have_all_their_devices(design):
    faces = racks.faces(design)
    assert [face.rack for face in faces] == ["r1", "r2", "m1"]
    assert [slot.device for slot in faces[0].slots] == ["train-001", "train-002"]
    assert faces[2].slots[0].ports == "111111"


def test_a_name_or_a_pattern_chooses_racks(design):
    assert [face.rack for face in racks.faces(design, "r*")] == ["r1", "r2"]
    assert [face.rack for face in racks.faces(design, "m1")] == ["m1"]
    assert racks.faces(design, "x") == []


def test_equal_racks_are_drawn_once_and_every_rack_is_of_a_kind(design):
    kinds = racks.faces(design, kinds=True)
    assert [face.alike for face in kinds] == [["r1", "r2"], ["m1"]]
    rotated = design.devices.with_columns(
        pl.when(pl.col("device") == "train-003").then(pl.lit("control")).otherwise("sku").alias("sku")
    )
    assert [face.alike for face in racks.faces(replace(design, devices=rotated), kinds=True)] == [
        ["r1"],
        ["r2"],
        ["m1"],
    ]


def test_a_rack_that_is_fed_another_way_is_of_another_kind(design):
    psus = scenes.frame("psus", [{"device": "train-001", "psu": 1, "watts": 3300, "circuit": "r1-A1", "feed": "A"}])
    assert len(racks.faces(replace(design, psus=psus), kinds=True)) == 3


def test_a_large_site_is_drawn_by_kinds(design):
    plan = scenes.hall(design, 10, 10)
    assert len(racks.faces(plan)) == 1
    assert len(racks.faces(plan)[0].alike) == 100


@pytest.mark.parametrize("high", [1, 8])
def test_what_is_wrong_with_a_slot_stands_in_it(high):
    wrong = rack(slot(rack_units=high), slot(device="train-002", unit=20))
    remark = "holds 4C4C45440035 of train-009, which is another machine than the design has in this slot of the rack"
    markup = rack_sheet.drawing(wrong, ["A", "B"], "pod", {"train-001": remark, "train-777": "elsewhere"})
    geometry.assert_sound(markup)
    assert markup.count('class="heavy"') == 2, "the slot, and the legend"
    assert f"train-001: {remark}." in markup, "in words too"
    assert "elsewhere" not in markup


def test_hostile_names_stay_words():
    hostile = rack(slot(device='<script>"&', sku="<b>"), rack='"><script>', place="<i>", alike=["<u>", "<s>"])
    root = geometry.assert_sound(rack_sheet.drawing(hostile, ["<A>"], "<tiny>"))
    assert not [e for e in root.iter() if e.tag.endswith(("script", "}b", "}i", "}u", "}s"))]


def test_the_example_site_shows_circuits_cables_and_ports():
    design = build.site_design()
    by_name = {face.rack: face for face in racks.faces(design)}
    first = by_name["train-r01"]
    assert len(first.slots) == 4
    assert {feed for slot in first.slots for feed in slot.feeds} == set(range(len(design.site.facility.power.feeds)))
    assert first.slots[0].cables["compute"] == 8
    assert set(first.slots[0].circuits) <= {strip.circuit for strip in first.strips}
    assert all(isinstance(design.servers[slot.sku], Server) for slot in first.slots)
    for drawn_face in by_name.values():
        geometry.assert_sound(rack_sheet.drawing(drawn_face, list(design.site.facility.power.feeds), "example"))
