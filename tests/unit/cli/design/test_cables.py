"""``rackwright cables``: schedule, port map and labels, as a crew and a script read them."""

from __future__ import annotations

import csv
import json
import re

import pytest

from rackwright.catalog import cabling_practice
from rackwright.cli.main import main
from rackwright.report import labels


@pytest.fixture
def cables(example_site, capsys):
    def run(*options: str) -> tuple[int, str, str]:
        code = main(["cables", str(example_site), *options])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_the_schedule_ends_with_a_summary(cables):
    code, out, _ = cables()
    assert code == 0
    assert "in pull order" in out.splitlines()[0]
    assert "    bundle compute train-r01/fabric-r01 #1" in out
    assert re.fullmatch(
        r"  [\d,]+ cables with [\d,]+ links, [\d,]+ m, in [\d,]+ bundles; [\d,]+ labels", out.splitlines()[-1]
    )


def test_csv_and_json_say_the_same(cables):
    rows = list(csv.DictReader(cables("--format", "csv")[1].splitlines()))
    data = json.loads(cables("--format", "json")[1])
    assert data["site"] == "h100-pod"
    assert [row["cable"] for row in rows] == [row["cable"] for row in data["cables"]]
    assert sum(row["cables"] for row in data["totals"]) == len(rows)


def test_a_rack_and_a_fabric_select(cables):
    data = json.loads(cables("--rack", "train-r02", "--fabric", "storage", "--format", "json")[1])["cables"]
    assert len(data) == 8
    assert {row["fabric"] for row in data} == {"storage"}
    assert all("train-r02" in (row["a_rack"], row["b_rack"]) for row in data)


def test_the_port_map(cables):
    code, out, _ = cables("--port-map", "site-r01")
    assert code == 0
    assert re.fullmatch(r"\d+ ports, \d+ with a cable, \d+ reserved", out.splitlines()[-1])
    assert any(line.endswith("  free") for line in out.splitlines())
    data = json.loads(cables("--port-map", "site-r01", "--format", "json")[1])
    assert data["rack"] == "site-r01"
    assert {"device", "port", "far_device", "far_port"} <= set(data["ports"][0])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rack", "train-r20"], "did you mean train-r"),
        (["--port-map", "nowhere"], "names run from train-r01"),
        (["--fabric", "computer"], "did you mean compute?"),
        (["--labels", "labels.pdf"], "ends in .html or .csv"),
    ],
)
def test_wrong_names_are_wrong_usage(cables, options, words):
    code, out, err = cables(*options)
    assert (code, out) == (2, "")
    assert words in err


def test_a_folder_that_cannot_be_written_is_one_sentence(cables, tmp_path):
    code, _, err = cables("--labels", str(tmp_path / "missing" / "labels.html"))
    assert code == 1
    assert "name another file with --labels" in err


def test_label_sheets(cables, tmp_path):
    code, out, _ = cables("--rack", "train-r01", "--labels", str(tmp_path / "labels.html"))
    page = (tmp_path / "labels.html").read_text()
    count = page.count('<div class="label"')
    assert code == 0
    assert f"{count} labels for {count // 2} cables on {-(-count // 21)} A4 sheets" in out
    assert page.count('<section class="sheet">') == -(-count // 21)
    assert "size: 210.0mm 297.0mm" in page
    assert "train-r01 U01 train-001:mlx5_0" in page
    assert not re.search(r'(?:src|href)="', page)


def test_labels_for_a_label_printer(cables, tmp_path):
    cables("--rack", "train-r01", "--labels", str(tmp_path / "labels.csv"))
    rows = list(csv.DictReader((tmp_path / "labels.csv").read_text().splitlines()))
    assert rows[0]["near"] == rows[1]["far"]
    assert {row["end"] for row in rows} == {"a", "b"}


def test_long_labels_get_smaller_text_and_odd_names_are_escaped():
    stock = cabling_practice.load().sheet
    short = {"order": 1, "end": "a", "cable": "c", "near": "a:1", "far": "<b>:2", "note": "1  p 2 m"}
    long = {**short, "near": "a-very-long-rack-name-r0001 U01 a-very-long-node-name-0001:enp170s0f1np1"}
    page = labels.sheet("pod", [short, long], stock)
    first, second = sorted({float(size) for size in re.findall(r'class="near" style="font-size:([\d.]+)pt"', page)})
    assert first < second
    assert first * 72 * labels.ADVANCE / labels.POINTS <= stock.label_width_mm
    assert "&lt;b&gt;:2" in page
