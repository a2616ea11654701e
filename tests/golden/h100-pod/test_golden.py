"""The design of the example, as a whole."""

from __future__ import annotations

import json
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


def test_totals_and_verdicts(made, golden):
    verdicts = [{"check": one.check, "target": one.target, "says": one.says} for one in design.rules.run_rules(made)]
    golden(FOLDER / "design.json", json.dumps({"totals": made.totals, "verdicts": verdicts}, indent=1) + "\n")


@pytest.mark.parametrize("table", TABLES)
def test_table(made, table, golden):
    frame = made.node_table if table == "nodes" else getattr(made, table)
    golden(FOLDER / f"{table}.csv", frame.write_csv())
