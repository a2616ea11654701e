"""The design of the example, as a whole. ``UPDATE_GOLDEN=1`` writes what comes out now; read the difference."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.model.design import Design

FOLDER = Path(__file__).parent
TABLES = ("racks", "devices", "nodes", "cables", "addresses", "circuits")


@pytest.fixture(scope="module")
def made(example_site) -> Design:
    loaded = spec.load(example_site)
    return design.expand(loaded.site, loaded.catalog)


def same(name: str, text: str) -> None:
    file = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text)
    assert text == file.read_text()


def test_totals_and_verdicts(made):
    verdicts = [{"check": one.check, "target": one.target, "says": one.says} for one in design.rules.run(made)]
    same("design.json", json.dumps({"totals": made.totals, "verdicts": verdicts}, indent=1) + "\n")


@pytest.mark.parametrize("table", TABLES)
def test_table(made, table):
    frame = made.node_table if table == "nodes" else getattr(made, table)
    same(f"{table}.csv", frame.write_csv())
