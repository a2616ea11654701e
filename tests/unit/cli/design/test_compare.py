"""The verb compare, and the rows it shows."""

from __future__ import annotations

import json

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.cli.main import main
from rackwright.design.comparison import ComparisonRow, compare_designs
from tests import build


@pytest.fixture
def bigger(tmp_path, example_site):
    data = yaml_text.load(example_site.read_text())
    data["site"] = "h100-big"
    data["pools"][0].update(count=62)
    data["control"]["ufm"]["servers"]["count"] = 1
    data["facility"]["halls"][0].update(rows=4)
    data["facility"]["power"].update(feed_kw=900)
    data["facility"].pop("air", None)
    data["economics"] = {"opex_per_watt_month": 0.05}
    checkpoint = {"tier": "scratch", "parameters_billions": 70.0}
    data["workloads"] = [{"name": "llm", "pool": "train", "kind": "training", "checkpoint": checkpoint}]
    data.pop("deployment", None)
    file = tmp_path / "bigger.yaml"
    file.write_text(yaml.safe_dump(data))
    return file


def test_two_sites_stand_side_by_side(example_site, bigger, capsys):
    assert main(["compare", str(example_site), str(bigger)]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert max(len(line) for line in lines[3:]) <= 100
    assert "A  h100-pod" in lines[0]
    assert "B  h100-big" in lines[1]
    (nodes,) = [line for line in lines if line.startswith("* nodes ")]
    assert nodes.split() == ["*", "nodes", "31", "62", "+100.0%"]
    for subject in (
        "site",
        "fabric compute",
        "power",
        "cooling",
        "storage scratch",
        "availability",
        "cost",
        "deployment",
    ):
        assert subject in lines
    (hours,) = [line for line in lines if "llm interrupted every" in line]
    assert " - " in hours


def test_the_rows_as_json(example_site, bigger, capsys):
    assert main(["compare", str(example_site), str(bigger), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["a"]["site"], document["b"]["site"]) == ("h100-pod", "h100-big")
    rows = {(row["subject"], row["name"]): row for row in document["rows"]}
    assert rows["site", "accelerators"] | {"unit": ""} == {
        "subject": "site",
        "name": "accelerators",
        "unit": "",
        "a": 248,
        "b": 496,
        "differs": True,
        "change": 1.0,
    }
    assert rows["fabric compute", "switch"]["differs"] is False
    assert rows["availability", "interruptions"]["change"] == pytest.approx(1.0)
    assert rows["cost", "operation a year"]["a"] is None
    assert rows["cost", "operation a year"]["b"] > 0


def test_a_site_does_not_differ_from_itself():
    rows = compare_designs(build.site_design(), build.site_design())
    assert len(rows) > 40
    assert not any(row.differs for row in rows)
    assert {row.change for row in rows} <= {0.0, None}


def test_problems_of_both_files_are_told(tmp_path, example_site, capsys):
    text = example_site.read_text()
    wrong_server, wrong_count = tmp_path / "one.yaml", tmp_path / "other.yaml"
    wrong_server.write_text(text.replace("server: dgx-h100", "server: dgx-h1000"))
    wrong_count.write_text(text.replace("count: 31", "count: 32"))
    assert main(["compare", str(wrong_server), str(wrong_count)]) == 1
    err = capsys.readouterr().err
    assert f"{wrong_server}:" in err
    assert "dgx-h1000" in err
    assert f"{wrong_count}:" in err
    assert "more servers than ports" in err
    assert err.index(f"{wrong_server}:") < err.index(f"{wrong_count}:")


def test_a_file_that_is_not_there(example_site, tmp_path, capsys):
    assert main(["compare", str(example_site), str(tmp_path / "none.yaml")]) == 2
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("a", "b", "change"), [(10, 15, 0.5), (0, 15, None), (None, 15, None), ("x", "y", None), (4.0, None, None)]
)
def test_change_is_only_between_numbers(a, b, change):
    row = ComparisonRow("s", "n", "", a, b)
    assert row.differs
    assert row.change == change
