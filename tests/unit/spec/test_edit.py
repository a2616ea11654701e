"""Fields that are changed in the text of a site: what changes, and that nothing else does."""

from __future__ import annotations

import pytest

from rackwright.spec import edit
from rackwright.spec.fields import parse_path
from rackwright.spec.parse import parse_yaml

TEXT = """\
# Größe: ü
facility:
  halls:
    - name: h1     # the hall
      rows: 2          # two rows
  power: {feeds: [A, B], feed_kw: 400}  # kW
  note: text
pools:
- {name: a, count: 1}
- &same
  name: b
  count: 2
- *same
empty:
"""


def changed(field: str, value: object, text: str = TEXT) -> str:
    root, problems = parse_yaml(text, "site.yaml")
    assert not problems
    return edit.edited(root, {"site.yaml": text}, [edit.FieldEdit(parse_path(field), value)])["site.yaml"]


@pytest.mark.parametrize(
    ("field", "value", "before", "after"),
    [
        ("facility.halls[0].rows", 12, "rows: 2          # two rows", "rows: 12         # two rows"),
        ("facility.halls[0].name", "a long name of a hall", "name: h1     # the", "name: a long name of a hall  # the"),
        ("facility.halls[0].name", "no", "name: h1     #", "name: 'no'   #"),
        ("facility.power.feed_kw", 1000, "feed_kw: 400}  # kW", "feed_kw: 1000}  # kW"),
        ("facility.power.feeds", ["A", "B", "C"], "[A, B]", "[A, B, C]"),
        ("facility.power.feeds[2]", "C", "[A, B]", "[A, B, C]"),
        ("facility.power.survive.feeds", 0, "feed_kw: 400}", "feed_kw: 400, survive: {feeds: 0}}"),
        ("facility.halls[0].rack", "r", "# two rows\n", "# two rows\n      rack: r\n"),
        ("facility.halls[1]", {"name": "h2"}, "# two rows\n", "# two rows\n    - {name: h2}\n"),
        ("pools[1].count", 3, "count: 2\n", "count: 3\n"),
        ("facility.liquid", {"a": 1.5}, "  note: text\n", "  note: text\n  liquid: {a: 1.5}\n"),
        ("empty", 1, "empty:\n", "empty: 1\n"),
        ("region", "eu", "empty:\n", "empty:\nregion: eu\n"),
    ],
)
def test_only_the_field_changes(field, value, before, after):
    assert TEXT.count(before) == 1
    assert changed(field, value) == TEXT.replace(before, after)
    windows = TEXT.replace("\n", "\r\n")
    assert changed(field, value, windows) == windows.replace(before.replace("\n", "\r\n"), after.replace("\n", "\r\n"))


def test_a_file_need_not_end_with_a_line():
    assert changed("b", 2, "a: 1") == "a: 1\nb: 2"


@pytest.mark.parametrize(
    "field", ["pools[2].count", "pools[9].count", "facility.halls", "pools[7]", "facility.power[1]"]
)
def test_what_is_written_elsewhere_or_nowhere_is_refused(field):
    with pytest.raises(edit.NotEditableError):
        changed(field, 5)


def test_a_merged_mapping_stays_and_the_entry_gets_the_field():
    text = "x: &x {a: 1}\ny:\n  <<: *x\n  b: 2\n"
    assert changed("y.a", 5, text) == "x: &x {a: 1}\ny:\n  <<: *x\n  b: 2\n  a: 5\n"


def test_a_default_stays_and_the_entry_gets_the_field(tmp_path):
    from rackwright.spec import assembly

    (tmp_path / "common.yaml").write_text("defaults:\n  pools: {count: 4}\n")
    file = tmp_path / "site.yaml"
    file.write_text("include: [common.yaml]\npools:\n  - name: a  # first\n")
    root, _ = assembly.read_site(file)
    texts = {str(path): path.read_text() for path in tmp_path.iterdir()}
    new = edit.edited(root, texts, [edit.FieldEdit(("pools", 0, "count"), 5)])
    assert new == {str(file): "include: [common.yaml]\npools:\n  - name: a  # first\n    count: 5\n"}


def test_two_changes_of_a_file_and_two_that_meet():
    root, _ = parse_yaml(TEXT, "site.yaml")
    rows, feeds = (
        edit.FieldEdit(("facility", "halls", 0, "rows"), 3),
        edit.FieldEdit(("facility", "power", "feeds"), ["A"]),
    )
    text = edit.edited(root, {"site.yaml": TEXT}, [feeds, rows])["site.yaml"]
    assert text == TEXT.replace("rows: 2 ", "rows: 3 ").replace("[A, B]", "[A]")
    power = edit.FieldEdit(("facility", "power"), {})
    with pytest.raises(edit.NotEditableError, match="two changes meet"):
        edit.edited(root, {"site.yaml": TEXT}, [power, feeds])
