"""The verb draw, as it is called."""

from __future__ import annotations

import json

import pytest

from rackwright.cli.main import main


def drawn(capsys, *args):
    assert main(["draw", *map(str, args), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_everything_is_drawn_and_named(tmp_path, example_site, capsys):
    listing = drawn(capsys, example_site, "--out", tmp_path)
    assert {drawing["what"] for drawing in listing["drawings"]} == {"floor", "racks", "fabric", "power", "coolant"}
    assert listing["index"] == str(tmp_path / "index.html")
    for drawing in listing["drawings"]:
        assert (tmp_path / drawing["file"].rpartition("/")[2]).read_text().startswith("<?xml")


def test_text_lists_what_was_written(tmp_path, example_site, capsys):
    assert main(["draw", str(example_site), "--what", "floor", "--out", str(tmp_path)]) == 0
    listing = capsys.readouterr().out.splitlines()
    assert listing[0] == f"{tmp_path}/floor-hall-1.svg  Floor plan of hall-1"
    assert listing[-1] == f"{tmp_path}/index.html  all 1 drawings"


@pytest.mark.parametrize(
    ("options", "files"),
    [
        (["--rack", "train-r01"], ["rack-train-r01.svg"]),
        (["--rack", "train-r0[12]"], ["rack-train-r01.svg", "rack-train-r02.svg"]),
        (["--fabric", "compute"], ["fabric-compute.svg"]),
        (["--hall", "hall-1"], ["floor-hall-1.svg", "coolant-hall-1.svg"]),
        (["--what", "power"], ["power.svg"]),
    ],
)
def test_naming_a_thing_draws_what_shows_it(tmp_path, example_site, capsys, options, files):
    listing = drawn(capsys, example_site, "--out", tmp_path, *options)
    assert [drawing["file"].rpartition("/")[2] for drawing in listing["drawings"]] == files


def test_without_out_it_goes_below_drawings(tmp_path, monkeypatch, example_site, capsys):
    monkeypatch.chdir(tmp_path)
    drawn(capsys, example_site, "--what", "power")
    assert sorted(path.name for path in (tmp_path / "drawings" / "h100-pod").iterdir()) == ["index.html", "power.svg"]


@pytest.mark.parametrize(("option", "near"), [("--rack", "train-r01"), ("--fabric", "compute"), ("--hall", "hall-1")])
def test_a_name_that_is_not_there_is_told_with_the_nearest(tmp_path, example_site, capsys, option, near):
    assert main(["draw", str(example_site), option, f"{near}x", "--out", str(tmp_path)]) == 2
    assert f"did you mean {near}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_name_unlike_any_other_is_told_with_those_there_are(example_site, capsys):
    assert main(["draw", str(example_site), "--fabric", "zzz"]) == 2
    assert "there is compute, storage, inband, oob" in capsys.readouterr().err
