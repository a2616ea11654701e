from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.cli.rehearse.rehearse import _chosen

INVENTORIES = Path(__file__).parents[4] / "inventories"


@pytest.mark.parametrize(
    ("name", "choice", "accelerators"),
    [
        ("mixed-pod", "3", ["train-001", "train-002", "serve-001"]),
        ("mixed-pod", "serve-002,slurm-01", ["serve-002"]),
        ("h100-pod", "2", ["train-001", "train-002"]),
    ],
)
def test_a_number_of_nodes_is_shared_out_among_schedulers(name: str, choice: str, accelerators: list[str]) -> None:
    loaded = spec.load(INVENTORIES / name / "site.yaml")
    planned = design.expand(loaded.site, loaded.catalog)
    chosen = _chosen(choice, planned)
    assert [node for node in chosen if planned.node(node).role == "accelerator"] == accelerators
    assert "slurm-01" in chosen
