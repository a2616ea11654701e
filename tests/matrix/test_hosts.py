"""Rows of the matrix with hosts, a few per tree: `python -m tests.matrix --hosts ROW` (`make matrix HOSTS=ROW`) plays one again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.matrix import hosts, rows

pytestmark = [pytest.mark.twin, pytest.mark.fabric, pytest.mark.slurm, pytest.mark.engine, pytest.mark.kubectl]


@pytest.mark.parametrize("row", rows.rotation(rows.ROTATION), ids=lambda row: row.name)
def test_two_nodes_of_a_sized_site_are_accepted_and_run_a_job(row: rows.Row, tmp_path: Path) -> None:
    ended = hosts.play_accepted(row, tmp_path)
    assert ended.accepted, f"{ended.result}\nplay it again: make matrix HOSTS={ended.row.name}"
