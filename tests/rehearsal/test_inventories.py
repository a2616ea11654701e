"""Sites of inventories/ walk from their file to nodes that ran a job; `test_rehearse` does so with the example."""

import pytest

from tests.rehearsal.conftest import Rehearsal

pytestmark = [pytest.mark.twin, pytest.mark.fabric, pytest.mark.slurm, pytest.mark.engine]

NODES = {
    "mi300x-pod": "2",
    "ascend-pod": "2",
    "gb200-pod": "2",
    "mixed-pod": "train-001,serve-001,slurm-01,ufm-01",
}


@pytest.mark.parametrize("name", NODES)
def test_two_nodes_are_accepted_and_run_a_job(name, tmp_path, example_site):
    rehearsal = Rehearsal(example_site.parents[1] / name / "site.yaml", tmp_path / "work")
    done = rehearsal.run("--nodes", NODES[name], "--no-faults")
    assert done.code == 0, done.out + done.err
    assert "As injected: no node was refused, and all 2 ran a job." in done.out
