"""Sheets as files, and the page that shows them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from rackwright.base import content
from rackwright.base.errors import OutsideError
from rackwright.report import gallery, sheets
from rackwright.report.sheets import KINDS, DrawingSelection, DrawingSheet
from rackwright.report.style_attributes import with_attributes
from tests import build
from tests.unit.report import geometry, scenes


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawings")
    design = build.site_design()
    return folder, gallery.write_gallery(sheets.sheets(design, DrawingSelection()), folder, design.site.site)


def test_every_kind_is_drawn_of_the_example_site(written):
    folder, entries = written
    assert {entry.kind for entry in entries} == set(KINDS)
    assert sorted(path.name for path in folder.iterdir()) == sorted([*(entry.file for entry in entries), "index.html"])


def test_every_file_stands_alone_with_its_style_in_light_and_dark(written):
    folder, entries = written
    for entry in entries:
        text = (folder / entry.file).read_text()
        root = ElementTree.fromstring(text)
        assert root[0].tag == f"{geometry.SVG}style"
        assert "prefers-color-scheme: dark" in text
        assert "url(" not in text
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        assert geometry.overlapping(geometry.words(root)) == []
        assert geometry.outside(root) == []


def test_every_class_that_is_drawn_has_a_style(written):
    folder, entries = written
    style = gallery.stylesheet()
    used = {
        word
        for entry in entries
        for element in ElementTree.fromstring((folder / entry.file).read_text()).iter()
        for word in element.get("class", "").split()
    }
    assert {name for name in used if f".{name} " not in style and f".{name}," not in style} <= {"sheet"}


def test_colours_stand_at_the_elements_for_programs_without_variables(written):
    folder, entries = written
    for entry in entries:
        text = (folder / entry.file).read_text()
        head, _, rest = text.partition("<style>")
        assert "var(" not in head + rest.partition("</style>")[2]
        assert rest.partition("</style>")[0].strip().startswith("@supports (color: var(")
        shapes = [
            element
            for element in ElementTree.fromstring(text).iter()
            if element.tag.rpartition("}")[2] in ("rect", "text", "circle")
        ]
        assert shapes
        assert all(shape.get("fill") for shape in shapes)


def test_a_class_stands_above_an_element_and_above_an_attribute():
    style = gallery.stylesheet()
    drawn = '<svg class="sheet"><text class="h on" font-size="1">a</text><line class="strand faint" stroke-width="4"/></svg>'
    styled = with_attributes(drawn, style)
    assert 'fill="#fff"' in styled
    assert 'font-size="17px"' in styled
    assert 'font-size="1"' not in styled
    assert 'stroke-width="4" stroke="#8b959f" stroke-opacity=".35" fill="none"' in styled


def test_no_class_of_the_drawings_has_another_meaning_on_the_page(written):
    """Style of a page reaches into drawings that stand in it: even the width of a box can be set by it."""
    named = set(re.findall(r"\.([a-z][\w-]*)", content.folder("templates", "report", "style.css").read_text()))
    mine = set(re.findall(r"\.sheet \.([a-z][\w-]*)", gallery.stylesheet()))
    assert mine & named == set()


def test_the_index_shows_every_file_and_nothing_from_elsewhere(written):
    folder, entries = written
    text = (folder / "index.html").read_text()
    assert all(f'"{entry.file}"' in text for entry in entries)
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_it_is_written_the_same_again(written, tmp_path):
    folder, _ = written
    design = build.site_design()
    gallery.write_gallery(sheets.sheets(design, DrawingSelection()), tmp_path, design.site.site)
    for path in folder.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_what_is_wanted_is_drawn_alone(design):
    names = [(sheet.kind, sheet.name) for sheet in sheets.sheets(design, DrawingSelection(("racks",), rack="r*"))]
    assert names == [("racks", "r1"), ("racks", "r2")]
    assert [sheet.kind for sheet in sheets.sheets(scenes.hall(design, 1, 2), DrawingSelection(("power", "floor")))] == [
        "floor",
        "power",
    ]


def test_names_cannot_leave_the_folder_or_hide_each_other(tmp_path):
    drawn = [
        DrawingSheet("racks", name, name, Markup('<svg width="1" height="1"></svg>'))
        for name in ("../x", "..\\x", "A", "a", "<b>")
    ]
    files = [drawing.file for drawing in gallery.write_gallery(drawn, tmp_path, "<site>")]
    assert len({file.lower() for file in files}) == 5
    assert all((tmp_path / file).is_file() and "/" not in file for file in files)
    assert "<b>" not in (tmp_path / "index.html").read_text()


def test_nothing_to_draw_still_makes_a_page(tmp_path):
    assert gallery.write_gallery([], tmp_path, "tiny") == []
    assert "Nothing was drawn." in (tmp_path / "index.html").read_text()


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutsideError, match="--out"):
        gallery.write_gallery([], tmp_path / "file", "tiny")
