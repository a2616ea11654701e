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
def full_design(example_site) -> Design:
    loaded = spec.load(example_site)
    return design.expand(loaded.site, loaded.catalog)


def test_totals_and_verdicts(full_design, golden):
    verdicts = [
        {"check": verdict.check, "target": verdict.target, "says": verdict.says}
        for verdict in design.rules.run_rules(full_design)
    ]
    golden(FOLDER / "design.json", json.dumps({"totals": full_design.totals, "verdicts": verdicts}, indent=1) + "\n")


@pytest.mark.parametrize("table", TABLES)
def test_table(full_design, table, golden):
    frame = full_design.node_table if table == "nodes" else getattr(full_design, table)
    golden(FOLDER / f"{table}.csv", frame.write_csv())
