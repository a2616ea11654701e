"""Faults that the example site cannot have: on a site of Kubernetes, with coolant in its machines, with tiers that are mounted."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.model.verdict import Outcome
from rackwright.twin import faults
from rackwright.twin.campaign import Scene, Stage, assess, play

ROOT = Path(__file__).resolve().parents[3]
SITES = {
    "kubernetes": ROOT / "tests/roles/sites/kubernetes.yaml",
    "liquid": ROOT / "inventories/gb200-pod/site.yaml",
    "storage": ROOT / "tests/roles/sites/storage.yaml",
}
TAKEN = "2026-11-21T09:00:00+00:00"
SPECIAL = [fault.name for fault in faults.known().values() if fault.needs]


@cache
def stage(needs: str) -> Stage:
    loaded = spec.load(SITES[needs])
    plan = design.expand(loaded.site, loaded.catalog)
    return Stage(plan, tuple(node.name for node in plan.nodes("accelerator"))[:4], TAKEN)


@pytest.mark.parametrize("name", SPECIAL)
def test_it_is_found_and_named(name: str) -> None:
    fault = faults.known()[name]
    there = stage(fault.needs)
    scene = Scene(name, tuple(faults.choose([name], there.nodes)))
    red = [verdict for verdict in play(there, scene) if verdict.outcome in (Outcome.FAIL, Outcome.DEGRADED)]
    assert assess(scene, red).missed == ()
    assert assess(scene, red).unnamed == ()


def test_they_are_left_out_where_they_cannot_show() -> None:
    assert SPECIAL
    assert not set(SPECIAL) & set(faults.of_acceptance())
    assert set(SPECIAL) <= set(faults.of_acceptance(*SITES))
