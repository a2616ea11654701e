"""The verbs check, design and schema, as they are called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rackwright.cli.design.design_text import rack_range
from rackwright.cli.main import main
from rackwright.model.schemas import SCHEMAS


def test_check_says_that_a_site_is_sound(example_site, capsys):
    assert main(["check", str(example_site.parent)]) == 0
    assert "site h100-pod is sound (31 nodes, 1 pool, 4 fabrics)" in capsys.readouterr().out
    assert main(["check", str(example_site), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []


def test_check_names_charts_that_nothing_has_tried(tmp_path, capsys):
    text = (Path(__file__).parents[4] / "inventories" / "mixed-pod" / "site.yaml").read_text()
    declared = "      kueue: {version: 0.14.0}\n"
    assert declared in text
    more = "      kuberay: {version: 1.4.2}\n      spegel: {version: 0.7.4, enabled: false}\n"
    file = tmp_path / "site.yaml"
    file.write_text(text.replace(declared, declared + more))
    assert main(["check", str(file)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "unproven" in line]
    assert lines == [
        "  unproven: no test has sent the chart of kuberay to an API server: try it on a cluster of your own first"
    ]
    assert main(["check", str(file), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["unproven_charts"] == ["kuberay"]


def test_check_finds_what_cannot_be_built(tmp_path, example_site, capsys):
    file = tmp_path / "site.yaml"
    file.write_text(example_site.read_text().replace("count: 31", "count: 32"))
    assert main(["check", str(file)]) == 1
    assert "more servers than ports" in capsys.readouterr().err
    assert main(["check", str(file), "--format", "json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert problem["code"] == "design.port_budget"


@pytest.mark.parametrize("verb", ["check", "design"])
def test_no_such_site_is_a_usage_error(verb, tmp_path, capsys):
    assert main([verb, str(tmp_path / "none.yaml")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main([verb, str(tmp_path)]) == 2


def test_design_prints_a_summary(example_site, capsys):
    assert main(["design", str(example_site)]) == 0
    out = capsys.readouterr().out
    assert "248 accelerators" in out
    assert "train-r01 ... train-r07" in out
    assert "design rules:" in out
    assert "FAIL" not in out
    assert len(out.splitlines()) < 40


def test_rules_with_nothing_to_judge_are_one_line(example_site, capsys):
    assert main(["design", str(example_site)]) == 0
    out = capsys.readouterr().out
    assert "NOT_RUN" not in out
    assert "Nothing to judge: " in out


def test_equal_findings_are_told_once(tmp_path, example_site, capsys):
    file = tmp_path / "site.yaml"
    file.write_text(example_site.read_text().replace("feed_kw: 400", "feed_kw: 1"))
    assert main(["design", str(file)]) == 1
    assert capsys.readouterr().out.count("FAIL design.feed_capacity") == 3


def test_design_prints_totals_and_verdicts_as_json(example_site, capsys):
    assert main(["design", str(example_site), "--format", "json"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert set(out) == {"site", "totals", "verdicts", "studies"}
    assert out["totals"]["fabrics"]["compute"]["cables"]["node_leaf"] == 252
    assert {verdict["outcome"] for verdict in out["verdicts"]} <= {"pass", "not_run", "degraded", "inconclusive"}
    assert "published" in out["studies"]


def test_design_exits_1_when_a_rule_fails(tmp_path, example_site, capsys):
    file = tmp_path / "site.yaml"
    file.write_text(example_site.read_text().replace("feeds: [A, B, C]", "feeds: [A, B]"))
    assert main(["design", str(file)]) == 1
    assert "FAIL design.power_supplies: Rack train-r01" in capsys.readouterr().out


def test_design_says_what_if(example_site, capsys):
    site = str(example_site)
    assert main(["design", site, "--what-if", "lose feed a", "--what-if", "lose node train-001"]) == 0
    out = capsys.readouterr().out
    assert out.count("What if: ") == 2
    assert "31 of 31 nodes and 248 of 248 accelerators are left" in out
    assert "30 of 31 nodes" in out


def test_what_if_is_json(example_site, capsys):
    words = ["design", str(example_site), "--what-if", "lose feeds A and B", "--format", "json"]
    assert main(words) == 0
    (answer,) = json.loads(capsys.readouterr().out)["what_if"]
    assert answer["losses"]["nodes_left"] == 0
    assert answer["losses"]["failing"]
    assert answer["changed"] == []


def test_a_declared_loss_that_is_not_survived_exits_1(tmp_path, example_site, capsys):
    file = tmp_path / "site.yaml"
    file.write_text(example_site.read_text().replace("feeds: [A, B, C]", "feeds: [A, B]"))
    assert main(["design", str(file), "--what-if", "lose feed A"]) == 1
    assert "The site declares to survive this" in capsys.readouterr().out


def test_what_if_of_a_change_shows_the_difference(example_site, capsys):
    assert main(["design", str(example_site), "--what-if", "remove 4 nodes from train and lose feed A"]) == 0
    out = capsys.readouterr().out
    assert "31 -> 27" in out
    assert "27 of 27 nodes" in out


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("lose fed A", 2, "did you mean feed?"),
        ("lose switch compute-spine-99", 2, "did you mean"),
        ("set facility.pwer.feed_kw=1", 2, "leads nowhere"),
        ("set facility.power.feed_kw=lots", 1, "feed_kw"),
        ("set pools.train.server=dgx-h1000", 1, "did you mean dgx-h100?"),
        ("remove 40 nodes from train", 1, "count"),
        ("add 90000000 nodes to train", 1, "too large"),
    ],
)
def test_what_if_that_cannot_be(example_site, capsys, text, code, message):
    assert main(["design", str(example_site), "--what-if", text]) == code
    assert message in capsys.readouterr().err


def test_design_prints_and_writes_tables(tmp_path, example_site, capsys):
    assert main(["design", str(example_site), "--table", "racks", "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.startswith("rack,hall,row,position,sku")
    assert {path.stem for path in (tmp_path / "out").iterdir()} == set(SCHEMAS)


def test_design_cannot_write_where_a_file_is(tmp_path, example_site, capsys):
    (tmp_path / "file").write_text("")
    assert main(["design", str(example_site), "--out", str(tmp_path / "file")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_schema_is_json(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$schema"].startswith("https://json-schema.org/")


@pytest.mark.parametrize(
    ("racks", "words"),
    [
        (["train-r01"], "train-r01"),
        (["train-r01", "train-r02", "train-r03"], "train-r01 ... train-r03"),
        (["fabric-r01", "fabric-r03"], "fabric-r01, fabric-r03"),
        (["fabric-r01", "fabric-r03", "fabric-r05"], "fabric-r01 and 2 more"),
        (["a-r01", "b-r02", "b-r03"], "a-r01 and 2 more"),
    ],
)
def test_a_range_of_racks_holds_no_other(racks, words):
    assert rack_range(racks) == words
