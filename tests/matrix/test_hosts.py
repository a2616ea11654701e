"""Rows of the matrix with hosts, a few per tree: `python -m tests.matrix --hosts ROW` (`make matrix HOSTS=ROW`) plays one again."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright.cli.main import main
from tests import site_vendor
from tests.matrix import hosts, rows
from tests.rehearsal.test_inventories import WALKED
from tests.rotation import of_this_run

TURNS = (*rows.SCHEDULERS, "", "", "", "")
"""Schedulers of a vendor that the site brings; it has no turn with most trees."""
ROWS = rows.rotation(1 if len(WALKED) == 1 else rows.ROTATION)
"""With a tree that walks an inventory one row, with any other one of each scheduler."""
OF_THIS_TREE = [scheduler for scheduler in of_this_run(TURNS, 1) if scheduler]
pytestmark = [
    pytest.mark.twin, pytest.mark.fabric, pytest.mark.slurm, pytest.mark.engine, pytest.mark.kubectl, pytest.mark.kubernetes,
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_two_nodes_of_a_sized_site_are_accepted_and_run_a_job(row: rows.Row, tmp_path: Path) -> None:
    ended = hosts.play_accepted(row, tmp_path)
    assert ended.accepted, f"{ended.result}\nplay it again: make matrix HOSTS={ended.row.name}"


# pytest reports a test of no parameters as skipped, which CI refuses.
if OF_THIS_TREE:

    @pytest.mark.parametrize("scheduler", OF_THIS_TREE)
    def test_two_nodes_of_a_vendor_that_the_site_brings_are_accepted_and_run_a_job(
        scheduler: str, tmp_path: Path
    ) -> None:
        """Nothing of the tree knows the vendor: parts, collector, limits, driver and packages are files of the site."""
        words = f"size --accelerators 64 --server quark-8u --fabric roce-rail-200 --scheduler {scheduler}".split()
        words += ["--site-folder", str(site_vendor.write(tmp_path)), "--version", "vendor_driver=1.2.2"]
        assert main([*words, "--out", str(tmp_path / "site.yaml")]) == 0
        accepted, result = hosts.rehearse(tmp_path / "site.yaml", tmp_path / "work")
        assert accepted, result
