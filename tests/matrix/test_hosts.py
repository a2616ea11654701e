"""Rows of the matrix with hosts, a few per tree: `python -m tests.matrix --hosts ROW` (`make matrix HOSTS=ROW`) plays one again."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright.cli.main import main
from tests import site_vendor
from tests.matrix import hosts, rows

SHARE = 3
"""A vendor of the site has its turn with one tree of so many."""
pytestmark = [pytest.mark.twin, pytest.mark.fabric, pytest.mark.slurm, pytest.mark.engine, pytest.mark.kubectl]


@pytest.mark.parametrize("row", rows.rotation(rows.ROTATION), ids=lambda row: row.name)
def test_two_nodes_of_a_sized_site_are_accepted_and_run_a_job(row: rows.Row, tmp_path: Path) -> None:
    ended = hosts.play_accepted(row, tmp_path)
    assert ended.accepted, f"{ended.result}\nplay it again: make matrix HOSTS={ended.row.name}"


@pytest.mark.skipif(int(rows.tree_digest(), 16) % SHARE != 0, reason="its turn comes with another tree")
def test_two_nodes_of_a_vendor_that_the_site_brings_are_accepted_and_run_a_job(tmp_path: Path) -> None:
    """Nothing of the tree knows the vendor: parts, collector, limits, driver and packages are files of the site."""
    scheduler = rows.SCHEDULERS[int(rows.tree_digest(), 16) // SHARE % len(rows.SCHEDULERS)]
    words = ["size", "--accelerators", "64", "--server", "quark-8u", "--fabric", "roce-rail", "--scheduler", scheduler]
    words += ["--site-folder", str(site_vendor.write(tmp_path)), "--version", "vendor_driver=1.2.2"]
    assert main([*words, "--out", str(tmp_path / "site.yaml")]) == 0
    accepted, result = hosts.rehearse(tmp_path / "site.yaml", tmp_path / "work")
    assert accepted, result
