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
    seen = library()["finetune_smoke"].parse(capfd.readouterr().out)
    assert [one.rank for one in seen.ranks] == list(range(cpus or len(seen.ranks)))
    assert len({one.first_digest for one in seen.ranks}) == len({one.last_digest for one in seen.ranks}) == 1
    assert seen.blocks[-1].last_loss < 0.1 * seen.blocks[0].first_loss


@pytest.mark.parametrize("cpus", [2, 0], ids=["processes", "accelerators"])
def test_all_servers_give_the_same_words(capfd, cpus):
    assert jobs.serving(PYTHON, cpus=cpus, requests=3) == 0
    seen = library()["serving_smoke"].parse(capfd.readouterr().out)
    assert {(one.requests, one.failed) for one in seen.replicas} == {(3, 0)}
    assert len({one.digest for one in seen.replicas}) == 1
