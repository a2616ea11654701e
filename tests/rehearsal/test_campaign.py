"""Every fault of the twin, alone and combined, and healthy sites under many seeds: the published matrix describes them as they are.

On every kind of site. `make faults` plays every combination and seed and writes the matrix anew: read the difference before you commit. CI plays every
fault alone, and a share of combinations and seeds, others for every tree.
"""

import io
import json
import os
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

import pytest

from rackwright import judge
from rackwright.cli.main import main
from rackwright.twin import faults
from rackwright.twin.campaign import FaultSheet, matrix
from tests.matrix.rows import tree_digest

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
SHARE = 1 if os.environ.get("RACKWRIGHT_FAULTS") == "all" else 5
"""CI plays one of so many combinations and seeds."""


def _seeds(site):
    return -(-SITES[site][2] // SHARE)


def _played(site):
    """What the command prints; one process plays all sites, because each process of a pool would expand and render every site anew."""
    nodes, combinations, _ = SITES[site]
    draw = 0 if SHARE == 1 else int(tree_digest(), 16) % 1_000_000
    counts = ["--nodes", str(nodes), "--combinations", str(combinations // SHARE), "--seeds", str(_seeds(site))]
    words = [*counts, "--seed", str(draw), "--format", "json"]
    with mock.patch("os.cpu_count", return_value=1), redirect_stdout(io.StringIO()) as printed:
        main(["rehearse", str(ROOT / site), "--fault-campaign", *words])
    return json.loads(printed.getvalue())


@pytest.fixture(scope="module")
def campaigns():
    return {site: _played(site) for site in SITES}


@pytest.mark.parametrize("site", SITES)
def test_every_fault_is_found_by_name_and_nothing_else(campaigns, site):
    assert campaigns[site]["wrong"] == []


@pytest.mark.parametrize("site", SITES)
def test_a_healthy_site_is_green_under_every_seed_and_accepted(campaigns, site):
    counts = campaigns[site]
    assert (counts["healthy"], counts["false_alarms"], counts["accepted"]) == (_seeds(site), 0, _seeds(site))


@pytest.mark.parametrize("site", SITES)
def test_the_gate_refuses_the_nodes_at_fault_and_no_other(campaigns, site):
    assert (campaigns[site]["let_in"], campaigns[site]["kept_out"]) == (0, 0)


@pytest.mark.parametrize("site", SITES)
def test_every_fault_is_played_or_cannot_show(campaigns, site):
    sheet = FaultSheet.model_validate_json(json.dumps(campaigns[site]["sheet"]))
    every = {name for name, fault in faults.load_faults().items() if fault.judged}
    assert {row.fault for row in sheet.rows} | set(sheet.absent) == every
    assert not {row.fault for row in sheet.rows} & set(sheet.absent)
    assert len(sheet.rows) >= FEWEST_FAULTS or site != next(iter(SITES))


def test_no_fault_is_absent_everywhere(campaigns):
    assert not set.intersection(*(set(campaign["sheet"]["absent"]) for campaign in campaigns.values()))


def test_the_matrix_is_what_is_published(campaigns, golden):
    sheets = [FaultSheet.model_validate_json(json.dumps(campaign["sheet"])) for campaign in campaigns.values()]
    golden(MATRIX, matrix(sheets, judge.load_checks()))
