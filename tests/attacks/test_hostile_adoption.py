"""Texts of running nodes and of files of others end in a site file that people read and edit: they are values there, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rackwright.adopt import NodeReading
from rackwright.adopt.node_texts import line
from rackwright.base import yaml_text
from rackwright.cli import main
from rackwright.design.sizing.text import data_text
from rackwright.model.survey import Identity
from tests.attacks.test_hostile_texts import PAYLOAD, hostile
from tests.rotation import of_this_run
from tests.unit.adopt import answers as nodes
from tests.unit.adopt.test_draft import checked, drafted

TEXTS = [
    PAYLOAD, "a, support: b", "a, b", "a}", "]", "[x", "a: b", "x # y", "a\nb: c", "\x1b[2J", "x\u2028y", "{{7*7}}", "=1", "`id`", "- a",
    "'", '"', "!unsafe a", "&a", "*a", "%x", "@x", "1.0", "yes", "null", "", " a ", "x" * 200,
]  # fmt: skip
PLACES: dict[str, Callable[[str], dict[str, Any]]] = {
    "a value": lambda text: {"part": text},
    "a value on one line with others": lambda text: {"part": {"doc": text, "covers": [text, "psus"]}},
    "an entry of a long list": lambda text: {"part": {"deep": {"names": ["x" * 130, text], "name": text}}},
    "a key": lambda text: {"part": {"deep": {text: 1, "more": {text: "x" * 130}}}},
}


@pytest.mark.parametrize("place", PLACES)
def test_a_text_of_a_draft_reads_back_as_it_was(place: str) -> None:
    for text in TEXTS:
        data = PLACES[place](text)
        written = data_text(data, {})
        assert yaml_text.load(written) == data, text
        assert written.replace("\n", "").isprintable(), text


@pytest.mark.parametrize("text", TEXTS)
def test_a_comment_of_a_draft_stays_one(text: str) -> None:
    assert yaml_text.load(data_text({"part": {"sku": "x" * 130}}, {"": text, "part": text, "part.sku": text})) == {
        "part": {"sku": "x" * 130}
    }


@cache
def readings() -> list[NodeReading]:
    return nodes.node_readings(nodes.sized_design("dgx-h100", 4))


@pytest.mark.parametrize("text", of_this_run([PAYLOAD, ", Inc.", "}"], 1))
def test_the_name_of_a_server_is_a_name(text: str, tmp_path: Path) -> None:
    identity = {Identity: Identity(manufacturer=f"Maker{text}", product=f"BOX-9{text}", board="X13")}
    site = drafted([replace(reading, records=reading.records | identity) for reading in readings()])
    (part,) = checked(site, tmp_path).catalog
    assert (part["manufacturer"], part["model"]) == (line(f"Maker{text}"), line(f"BOX-9{text}"))


def test_whatever_nodes_write_a_draft_is_made(tmp_path: Path) -> None:
    """Every string of every record: names that no site can declare are left out, and versions are those of the reference."""
    spoiled: list[str] = []
    attacked = [
        replace(
            reading,
            records={kind: hostile(record, spoiled) for kind, record in reading.records.items()},
            accelerators=hostile(reading.accelerators, spoiled),
        )
        for reading in readings()
    ]
    assert len(set(spoiled)) > 30
    site = drafted(attacked)
    assert checked(site, tmp_path).pools[0].count == len(attacked)
    assert site.text.replace("\n", "").isprintable()


DEVICE = """
manufacturer: "=cmd|' /C calc'!A0 {{7*7}}\\nsku: other"
model: "<script>\\e[2J\\nkind: other"
slug: "box\\nkind: other"
u_height: 4
airflow: "x\\nkind: other\\e[2J"
interfaces:
- {name: "a\\nkind: other", type: "x\\nkind: other"}
- {name: "b", type: 400gbase-x-osfp}
"""


@pytest.mark.parametrize("kind", ["server", "switch", "pdu"])
def test_a_device_type_of_others_adds_no_line(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "box.yaml"
    file.write_text(DEVICE)
    assert main.main(["catalog", "import", str(file), "--kind", kind]) == 0
    printed = capsys.readouterr().out
    part = yaml_text.load(printed)
    assert (part["kind"], part["manufacturer"]) == (kind, yaml_text.load(DEVICE)["manufacturer"])
    assert "x\\nkind: other" in printed
    assert printed.replace("\n", "").isprintable()
