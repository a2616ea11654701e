"""Every fault of the twin, alone and combined, and a healthy site under many seeds: what the documentation says of them is true."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rackwright.twin import faults

pytestmark = pytest.mark.twin  # needs no root, but as long as those that do
MATRIX = Path(__file__).parent.parent.parent / "validators" / "FAULTS.md"
FEWEST_FAULTS = 120


@pytest.fixture(scope="module")
def done(example_site, tmp_path_factory):
    matrix = tmp_path_factory.mktemp("campaign") / "faults.md"
    words = ["rehearse", str(example_site), "--fault-campaign", "--format", "json", "--matrix", str(matrix)]
    run = subprocess.run([sys.executable, "-m", "rackwright", *words], capture_output=True, text=True, check=False)
    return run, json.loads(run.stdout), matrix.read_text()


def test_every_fault_is_found_by_name_and_nothing_else(done):
    run, said, _ = done
    assert said["wrong"] == []
    assert run.returncode == 0
    assert said["faults"] > len(faults.of_acceptance()) >= FEWEST_FAULTS


def test_a_healthy_site_is_green_under_every_seed(done):
    _, said, _ = done
    assert (said["healthy"], said["false_alarms"]) == (100, 0)


def test_the_matrix_is_what_is_published(done, golden):
    golden(MATRIX, done[2])
