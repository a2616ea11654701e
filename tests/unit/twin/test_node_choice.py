"""Faults of a rehearsal take nodes on which they show, also in a site of two schedulers."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.base.errors import UsageError
from rackwright.twin import faults
from rackwright.twin.campaign.node_choice import choose_nodes

MIXED = ("train-001", "train-002", "serve-001", "serve-002")
NOW = "2026-11-26T12:00:00Z"


@pytest.fixture(scope="module")
def mixed():
    loaded = spec.load(Path(__file__).parents[3] / "inventories" / "mixed-pod" / "site.yaml")
    return design.expand(loaded.site, loaded.catalog)


def chosen(names, nodes, mixed):
    return {entry.fault.name: entry.nodes for entry in choose_nodes(names, nodes, mixed, NOW)}


def test_faults_of_tenants_take_nodes_that_tenants_share(mixed):
    assert chosen(["tenant-quota-missing", "tenant-network-open"], MIXED, mixed) == {
        "tenant-quota-missing": ("serve-001",),
        "tenant-network-open": ("serve-002",),
    }
    with pytest.raises(
        UsageError, match=r"tenant-class-free needs 1 accelerator nodes of one pool for itself.*--nodes"
    ):
        chosen([f"tenant-{name}" for name in ("quota-missing", "network-open", "class-free")], MIXED, mixed)


def test_two_nodes_of_a_fault_are_in_one_pool_and_the_default_ones_share_them_where_there_are_too_few(mixed):
    shared = {"gpu-row-remap-pending": ("train-001",), "fabric-cables-swapped": ("train-001", "train-002")}
    assert chosen(faults.DEFAULT, MIXED, mixed) == shared
    assert chosen(faults.DEFAULT, (*MIXED, "train-003"), mixed) == {
        "gpu-row-remap-pending": ("train-001",),
        "fabric-cables-swapped": ("train-002", "train-003"),
    }
    with pytest.raises(UsageError):
        chosen(tuple(reversed(faults.DEFAULT)), MIXED, mixed)
    assert chosen((), MIXED, mixed) == {}
