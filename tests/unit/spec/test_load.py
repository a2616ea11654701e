from __future__ import annotations

import os

import pytest

from rackwright import spec
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.spec import source


def test_the_example_is_sound(example_site):
    loaded = spec.load(example_site)
    assert loaded.site.site == "h100-pod"
    assert loaded == spec.load(example_site.parent)
    assert loaded.path == example_site


def test_where_a_field_stands(example_site):
    loaded = spec.load(example_site)
    lines = example_site.read_text().splitlines()
    for path, text in [("pools[0].count", "count: 31"), ("fabrics[3].subnet", "10.64.4.0/22"), ("site", "site:")]:
        line = int(loaded.where(path).rpartition(":")[2])
        assert text in lines[line - 1]


def test_problems_of_a_later_stage_get_their_lines_in_order(example_site):
    loaded = spec.load(example_site)
    later = [Problem("site", path, "m", "e", "f", "n", "c") for path in ("software.cuda", "site", "pools[0].count")]
    lines = [int(problem.place.rpartition(":")[2]) for problem in loaded.located(later).problems]
    assert lines == sorted(lines)
    assert all(problem.place.startswith(str(example_site)) for problem in loaded.located(later).problems)


def test_no_file_to_read(tmp_path):
    with pytest.raises(UsageError, match="does not exist"):
        spec.load(tmp_path / "none.yaml")
    with pytest.raises(UsageError, match=r"folder without site\.yaml"):
        spec.load(tmp_path)
    with pytest.raises(UsageError, match="File name too long"):
        spec.load(tmp_path / ("x" * 5000))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="not a regular file"):
        spec.load(pipe)


def test_a_file_that_refuses_to_be_read(tmp_path, monkeypatch):
    file = tmp_path / "site.yaml"
    file.write_text("a: 1")

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(file), "open", refuse)
    with pytest.raises(UsageError, match="Permission denied"):
        spec.load(file)


def test_a_file_that_is_far_too_large(tmp_path):
    file = tmp_path / "site.yaml"
    file.write_bytes(b"#" * (source.MAX_BYTES + 1))
    with pytest.raises(UsageError, match="larger than"):
        spec.load(file)


@pytest.mark.parametrize(
    ("raw", "line"),
    [(b"a: 1\nb: caf\xe9\n", 2), ("a: 1".encode("utf-16"), 1), (b"a: 1\n\nb: \x00", 3), (b"a: \x7f", 1)],
)
def test_a_file_that_is_not_text(tmp_path, raw, line):
    file = tmp_path / "site.yaml"
    file.write_bytes(raw)
    with pytest.raises(ProblemsError) as raised:
        spec.load(file)
    assert [(problem.place, problem.code) for problem in raised.value.problems] == [(f"{file}:{line}", "spec.not_text")]


def test_a_byte_order_mark_is_no_mistake(tmp_path, example_site):
    file = tmp_path / "site.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + example_site.read_bytes())
    assert spec.load(file).site == spec.load(example_site).site


def test_the_schema_knows_every_key_and_its_meaning():
    schema = spec.schema()
    assert set(schema["required"]) == {
        "apiVersion",
        "site",
        "region",
        "facility",
        "pools",
        "fabrics",
        "control",
        "software",
    }
    assert schema["additionalProperties"] is False
    assert "sized for the whole unit" in schema["$defs"]["Pool"]["properties"]["scalable_unit"]["description"]
