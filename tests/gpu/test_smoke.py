"""The fine-tune and the serving job with a real PyTorch: `pytest -m gpu`, with RACKWRIGHT_TORCH_PYTHON where `python3` has none."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from rackwright.collect.collector import library
from rackwright.collect.probe.burn import jobs

PYTHON = os.environ.get("RACKWRIGHT_TORCH_PYTHON", "python3")
HAS_TORCH = (
    shutil.which(PYTHON)
    and not subprocess.run([PYTHON, "-c", "import torch"], capture_output=True, check=False).returncode
)
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(
        not HAS_TORCH, reason=f"{PYTHON} has no PyTorch; RACKWRIGHT_TORCH_PYTHON may name another Python"
    ),
]


@pytest.mark.parametrize("cpus", [2, 0], ids=["processes", "accelerators"])
def test_all_ranks_learn_together_and_agree(capfd, cpus):
    assert jobs.finetune(PYTHON, cpus=cpus, seconds=5) == 0
    record = library()["finetune_smoke"].parse(capfd.readouterr().out)
    assert [rank.rank for rank in record.ranks] == list(range(cpus or len(record.ranks)))
    assert (
        len({entry.first_digest for entry in record.ranks}) == len({entry.last_digest for entry in record.ranks}) == 1
    )
    assert record.blocks[-1].last_loss < 0.1 * record.blocks[0].first_loss


@pytest.mark.parametrize("cpus", [2, 0], ids=["processes", "accelerators"])
def test_all_servers_give_the_same_words(capfd, cpus):
    assert jobs.serving(PYTHON, cpus=cpus, requests=3) == 0
    record = library()["serving_smoke"].parse(capfd.readouterr().out)
    assert {(replica.requests, replica.failed) for replica in record.replicas} == {(3, 0)}
    assert len({entry.digest for entry in record.replicas}) == 1
