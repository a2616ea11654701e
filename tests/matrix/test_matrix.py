"""Every server of the catalog with every scheduler comes to the gate as `validators/MATRIX.md` says: `make matrix` writes it anew."""

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from rackwright import gate, judge
from rackwright.catalog import fabric_presets
from tests.matrix import walk

CHECKS = judge.node_checks(judge.load_checks())
ROWS = walk.rows()


@pytest.mark.parametrize(("server", "scheduler", "fabric"), ROWS)
def test_a_server_comes_to_the_gate_as_published(server: str, scheduler: str, fabric: str, tmp_path: Path) -> None:
    assert (
        walk.walk(server, scheduler, tmp_path, fabric).line in walk.PUBLISHED.read_text(encoding="utf-8").splitlines()
    )


@pytest.mark.parametrize("server", walk.servers())
def test_gates_ask_a_server_what_its_accelerators_can_answer_and_all_of_it(server: str, tmp_path: Path) -> None:
    _, stage = walk.sized_stage(server, "slurm", tmp_path)
    promised = stage.expected[0]
    accelerator = promised.node.accelerator
    assert accelerator is not None
    where = gate.load_gates()["handover"].where
    answered = {
        capability
        for capability, patterns in where.items()
        if any(
            fnmatchcase(name, pattern) and check.applies(promised)
            for name, check in CHECKS.items()
            for pattern in patterns
        )
    }
    assert answered == set(accelerator.capabilities) & set(where)


def test_the_matrix_has_these_rows_and_no_other() -> None:
    lines = walk.PUBLISHED.read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.strip("| ").split(" | ")[:2]) for line in lines if line.startswith("| ") and "---" not in line]
    assert rows == [("Server", "Scheduler"), *(row[:2] for row in ROWS)]


def test_every_fabric_that_can_be_sized_is_played() -> None:
    assert {*walk.FABRICS, *walk.OTHER_FABRICS} == {preset.name for preset in fabric_presets.load().presets}
