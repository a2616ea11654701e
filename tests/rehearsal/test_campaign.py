"""Every fault of the twin, alone and combined, and healthy sites under many seeds: the published matrix describes them as they are.

On every kind of site. `make faults` plays every combination and seed on all of them and writes the matrix anew: read the difference before you
commit. CI plays every fault alone, and a share of combinations and seeds, others for every tree: on the example, and on one of the other
sites, another for every tree.
"""

from __future__ import annotations

import io
import json
import os
import re
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from unittest import mock

import pytest

from rackwright import judge
from rackwright.cli.main import main
from rackwright.twin import faults
from rackwright.twin.campaign import FaultSheet, matrix
from tests.matrix.rows import tree_digest
from tests.rotation import of_this_run

pytestmark = pytest.mark.twin  # needs no root, but as long as those that do
ROOT = Path(__file__).parents[2]
MATRIX = ROOT / "validators" / "FAULTS.md"
FEWEST_FAULTS = 120
"""That were promised, on the example."""
SITES = {
    "inventories/h100-pod/site.yaml": (12, 200, 100),
    "inventories/mi300x-pod/site.yaml": (12, 40, 5),
    "inventories/gb200-pod/site.yaml": (12, 40, 5),
    "tests/sites/h100-roce.yaml": (12, 20, 5),
    "tests/sites/ascend.yaml": (12, 20, 5),
    "tests/sites/gaudi.yaml": (12, 20, 5),
}
"""Nodes that are judged, combinations and seeds: all that was promised on the example, enough of it on other kinds of site."""
EXAMPLE, *OTHERS = SITES
ALL = os.environ.get("RACKWRIGHT_FAULTS") == "all"
PLAYED = tuple(SITES) if ALL else (EXAMPLE, *of_this_run(OTHERS, 1))
SHARE = 1 if ALL else 10
"""CI plays one of so many combinations and seeds."""


def _seeds(site: str) -> int:
    return -(-SITES[site][2] // SHARE)


@cache
def _campaign(site: str) -> dict:
    """What the command prints; one process plays all sites, because each process of a pool would expand and render every site anew."""
    nodes, combinations, _ = SITES[site]
    draw = 0 if ALL else int(tree_digest(), 16) % 1_000_000
    counts = ["--nodes", str(nodes), "--combinations", str(combinations // SHARE), "--seeds", str(_seeds(site))]
    words = [*counts, "--seed", str(draw), "--format", "json"]
    with mock.patch("os.cpu_count", return_value=1), redirect_stdout(io.StringIO()) as printed:
        main(["rehearse", str(ROOT / site), "--fault-campaign", *words])
    return json.loads(printed.getvalue())


@pytest.fixture(params=PLAYED)
def site(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def campaign(site: str) -> dict:
    return _campaign(site)


def _sheet(site: str) -> FaultSheet:
    return FaultSheet.model_validate_json(json.dumps(_campaign(site)["sheet"]))


def test_every_fault_is_found_by_name_and_nothing_else(campaign):
    assert campaign["wrong"] == []


def test_a_healthy_site_is_green_under_every_seed_and_accepted(site, campaign):
    assert (campaign["healthy"], campaign["false_alarms"], campaign["accepted"]) == (_seeds(site), 0, _seeds(site))


def test_the_gate_refuses_the_nodes_at_fault_and_no_other(campaign):
    assert (campaign["let_in"], campaign["kept_out"]) == (0, 0)


def test_every_fault_is_played_or_cannot_show(site):
    sheet = _sheet(site)
    assert {row.fault for row in sheet.rows} | set(sheet.absent) == _judged()
    assert not {row.fault for row in sheet.rows} & set(sheet.absent)
    assert len(sheet.rows) >= FEWEST_FAULTS or site != EXAMPLE


def test_the_matrix_is_what_is_published(golden):
    """Of sites that are not played, the published rows stand; `make faults` plays all."""
    text = matrix([_sheet(site) for site in PLAYED], judge.load_checks())
    if ALL:
        golden(MATRIX, text)
    names = {_sheet(site).site for site in PLAYED}
    assert {row for row in _by_site(text) if row[0] in names} == {
        row for row in _by_site(MATRIX.read_text(encoding="utf-8")) if row[0] in names
    }


def test_every_site_is_published_and_no_fault_is_absent_everywhere():
    cells = [re.split(r" \| ", line.strip("| ")) for line in MATRIX.read_text(encoding="utf-8").splitlines()]
    rows = [(row[0].strip("`"), row[-1]) for row in cells if len(row) == 5 and row[0].startswith("`")]
    assert {fault for fault, _ in rows} == _judged()
    on = {site for _, sites in rows for site in sites.split(", ")}
    assert on == {Path(site).parent.name if site.startswith("inventories") else Path(site).stem for site in SITES}


def _judged() -> set[str]:
    return {name for name, fault in faults.load_faults().items() if fault.judged}


def _by_site(text: str) -> set[tuple[str, str]]:
    """Site and line: what kind of site it is, a row of a fault there, why others cannot show there."""
    lines, site = set(), ""
    for line in text.splitlines():
        if match := re.match(r"- \*\*(.+)\*\*: ", line):
            lines.add((match[1], line))
        elif line.startswith("| `"):
            row, _, sites = line.rstrip("| ").rpartition(" | ")
            lines |= {(name, row) for name in sites.split(", ")}
        elif match := re.match(r"On (.+):$", line):
            site = match[1]
        elif site and line.startswith("- "):
            lines.add((site, line))
    return lines
