"""``design --only fabrics``: pools and fabrics alone are wired as in a whole site, and what was assumed is neither judged nor counted."""

from __future__ import annotations

import json

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.cli.main import main


@pytest.fixture
def sketch(tmp_path, example_site):
    """The compute fabric of the example and its pool, with changes of the site."""

    def write(**changes):
        site_data = yaml_text.load(example_site.read_text())
        data = {key: site_data[key] for key in ("apiVersion", "site", "pools")}
        pool = {key: value for key, value in data["pools"][0].items() if key != "scheduler"}
        file = tmp_path / "sketch.yaml"
        file.write_text(yaml.safe_dump(data | {"pools": [pool], "fabrics": site_data["fabrics"][:1]} | changes))
        return str(file)

    return write


def printed(capsys, *words, code=0):
    assert main(["design", *words]) == code
    output = capsys.readouterr()
    return output.out + output.err


def test_a_sketch_is_wired_as_the_whole_site(sketch, example_site, capsys):
    sketched = json.loads(printed(capsys, sketch(), "--only", "fabrics", "--format", "json"))
    declared = json.loads(printed(capsys, str(example_site), "--format", "json"))
    mine, of_site = (design["totals"]["fabrics"]["compute"] for design in (sketched, declared))
    for figure in ("leaf", "spine", "core", "injection_gbps", "bisection_gbps"):
        assert mine[figure] == of_site[figure], figure
    assert mine["cables"] == of_site["cables"] | {"node_leaf": 31 * 8}  # a sketch has no UFM servers
    assert sketched["studies"]["fabrics"]["compute"]["bisection_share"] == 1.0
    assert sketched["assumed"] == ["region", "facility", "pools.scheduler", "control", "software"]
    assert "air_cfm" not in sketched["totals"]
    checks = {verdict["check"] for verdict in sketched["verdicts"]}
    assert {"design.port_budget", "design.cable_reach"} <= checks
    assert not checks & {"design.feed_capacity", "design.floor_load", "design.bills", "design.prices_complete"}


def test_halls_of_a_sketch_count(sketch, capsys):
    small = {"halls": [{"name": "hall-1", "rows": 1, "racks_per_row": 4}]}
    text = printed(capsys, sketch(facility=small), "--only", "fabrics", code=1)
    assert "design.hall_full" in text
    assert "sketch.yaml:" in text
    large = {"halls": [{"name": "hall-1", "rows": 1, "racks_per_row": 20}]}
    assert "facility.power" in printed(capsys, sketch(facility=large), "--only", "fabrics")


def test_a_mistake_of_a_sketch_has_its_place(sketch, capsys):
    fabric = {
        "name": "compute",
        "role": "compute",
        "transport": "infiniband",
        "topology": "fat-tree",
        "switch": "qm970",
    }
    text = printed(capsys, sketch(fabrics=[fabric]), "--only", "fabrics", code=1)
    assert text.count("[spec.") == 1
    assert "did you mean qm9790?" in text


@pytest.mark.parametrize("words", [("--table", "circuits"), ("--what-if", "lose feed A")])
def test_what_needs_the_whole_site_is_refused(sketch, capsys, words):
    assert f"{words[0]} " in printed(capsys, sketch(), "--only", "fabrics", *words, code=2)


def test_tables_of_a_sketch_are_those_of_its_wiring(sketch, tmp_path, capsys):
    printed(capsys, sketch(), "--only", "fabrics", "--out", str(tmp_path / "out"))
    assert (tmp_path / "out/cables.csv").is_file()
    assert not (tmp_path / "out/circuits.csv").exists()
