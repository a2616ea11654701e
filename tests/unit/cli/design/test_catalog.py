from __future__ import annotations

import json
from pathlib import Path

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.cli import main
from rackwright.cli.design.catalog import fields

CASES = Path(__file__).parents[3] / "cases" / "netbox"


def run(capsys, *args: str) -> tuple[int, str, str]:
    code = main.main(["catalog", *args])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_list_names_every_part(capsys):
    code, out, _ = run(capsys, "list")
    assert code == 0
    assert out.strip().endswith("parts")
    assert "dgx-h100" in out
    assert "qm9700" in out


def test_list_of_one_kind_as_json(capsys):
    _, out, _ = run(capsys, "list", "--kind", "server", "--format", "json")
    rows = json.loads(out)["parts"]
    assert {row["kind"] for row in rows} == {"server"}
    assert [row["sku"] for row in rows] == sorted(catalog.load().servers)


def test_show_puts_the_source_beside_every_number(capsys):
    code, out, _ = run(capsys, "show", "b300")
    assert code == 0
    row = next(line for line in out.splitlines() if line.strip().startswith("bf16_dense_tflops"))
    assert "2250" in row
    assert "secondary" in row
    assert "disputed: bf16_dense_tflops is 3750" in out
    assert "https://" in out


def test_show_as_json_has_a_source_for_each_number(capsys):
    _, out, _ = run(capsys, "show", "dgx-h100", "--format", "json")
    document = json.loads(out)
    assert document["part"]["peak_watts"] == 10200
    rows = {row["path"]: row for row in document["fields"]}
    assert rows["psus.needed"]["value"] == 4
    assert rows["psus.needed"]["source"]["url"].startswith("https://")
    bare = [path for path, row in rows.items() if row["source"] is None and type(row["value"]) in (int, float)]
    assert bare == []


def test_every_number_of_every_part_is_shown_with_a_source():
    catalogue = catalog.load()
    for kind in catalog.loader.KINDS:
        for part in catalogue.of_kind(kind).values():
            assert [path for path, value, source in fields(part) if type(value) in (int, float) and not source] == []


def test_an_unknown_sku_gets_a_suggestion(capsys):
    code, _, err = run(capsys, "show", "dgx-h10")
    assert code == 1
    assert "did you mean dgx-h100?" in err
    code, out, _ = run(capsys, "show", "zzz", "--format", "json")
    assert code == 1
    assert json.loads(out)["problems"][0]["code"] == "catalog.unknown_sku"


def test_import_prints_a_part_and_what_is_missing(capsys):
    code, out, _ = run(capsys, "import", str(CASES / "QM9700.yaml"), "--kind", "switch")
    assert code == 0
    assert yaml_text.load(out)["ports"] == {"count": 62, "gbps": 400}
    assert "#   peak_watts" in out
    assert "# DOUBTFUL: lists 62 ports; qm9700 has 64" in out


def test_import_as_json(capsys):
    _, out, _ = run(capsys, "import", str(CASES / "DGC-A100.yaml"), "--kind", "server", "--format", "json")
    document = json.loads(out)
    assert set(document) == {"part", "missing", "flags"}
    assert any("6500 W" in flag for flag in document["flags"])


def test_a_file_that_is_no_device_type_is_a_problem(capsys, tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("[1, 2]")
    code, _, err = run(capsys, "import", str(file), "--kind", "switch")
    assert code == 1
    assert "this is no NetBox device type" in err
