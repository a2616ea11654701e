"""Every server of the catalog with every scheduler comes to the gate as `validators/MATRIX.md` says: `make matrix` writes it anew."""

from pathlib import Path

import pytest

from tests.matrix import walk

ROWS = [(server, scheduler) for server in walk.servers() for scheduler in walk.SCHEDULERS]


@pytest.mark.parametrize(("server", "scheduler"), ROWS)
def test_a_server_comes_to_the_gate_as_published(server: str, scheduler: str, tmp_path: Path) -> None:
    assert walk.walk(server, scheduler, tmp_path).line in walk.PUBLISHED.read_text(encoding="utf-8").splitlines()


def test_the_matrix_has_these_rows_and_no_other() -> None:
    lines = walk.PUBLISHED.read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.strip("| ").split(" | ")[:2]) for line in lines if line.startswith("| ") and "---" not in line]
    assert rows == [("Server", "Scheduler"), *ROWS]
