"""The verbs check, design and schema, as they are called."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from rackwright.cli.main import main
from rackwright.model.schemas import SCHEMAS


def test_check_says_that_a_site_is_sound(example_site, capsys):
    assert main(["check", str(example_site.parent)]) == 0
    assert "site h100-pod is sound (31 nodes, 1 pool, 4 fabrics)" in capsys.readouterr().out
    assert main(["check", str(example_site), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []


def test_check_does_not_wait_for_polars(example_site):
    code = f"import sys; from rackwright.cli.main import main; main(['check', {str(example_site)!r}]); print('polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


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
    assert "train-r08" in out
    assert "11 design rules: 69 pass" in out


def test_design_prints_totals_and_verdicts_as_json(example_site, capsys):
    assert main(["design", str(example_site), "--format", "json"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert set(out) == {"site", "totals", "verdicts"}
    assert out["totals"]["fabrics"]["compute"]["cables"]["node_leaf"] == 252
    assert {one["outcome"] for one in out["verdicts"]} == {"pass"}


def test_design_exits_1_when_a_rule_fails(tmp_path, example_site, capsys):
    file = tmp_path / "site.yaml"
    file.write_text(example_site.read_text().replace("feeds: [A, B, C]", "feeds: [A, B]"))
    assert main(["design", str(file)]) == 1
    assert "FAIL design.power_supplies: Rack train-r01" in capsys.readouterr().out


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
