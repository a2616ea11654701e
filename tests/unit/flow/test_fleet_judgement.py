from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import judge
from rackwright.base.errors import UsageError
from rackwright.flow import fleet_judgement, stored_evidence
from rackwright.model.check import FleetCheck
from rackwright.model.verdict import Outcome
from tests import build
from tests.unit.cli import evidence_store

NODES = {f"train-{number:03d}": {} for number in range(1, 10)} | {
    "train-004": {"nvml": {"devices": {3: {"temperature_celsius": 80, "row_remap_pending": True}}}}
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("store") / "evidence"
    evidence_store.write_run(path, NODES)
    evidence_store.write_run(
        path, {"train-002": {"clock": {"offset_seconds": 1.0}}}, "2026-11-21T12:00:00+00:00", ("clock",), "load"
    )
    return path


@pytest.mark.parametrize("processes", [1, 2])
def test_parts_give_the_verdicts_of_the_whole(folder, processes, monkeypatch) -> None:
    monkeypatch.setattr(fleet_judgement, "NODES_AT_A_TIME", 2)
    design, limits, checks = build.site_design(), build.limit_table(), judge.load_checks()
    whole = judge.judge_evidence(design, stored_evidence.recall(folder, design, limits).nodes, checks, limits)
    found = fleet_judgement.judge_store(folder, design, limits, checks, passes=False, processes=processes)
    every = fleet_judgement.judge_store(folder, design, limits, checks, passes=True, processes=processes)
    assert list(every.verdicts) == whole
    assert every.counts == found.counts
    assert list(found.verdicts) == [one for one in whole if one.outcome != Outcome.PASS]
    assert list(found.sentences) == [(one.outcome, one.check, one.target, one.says) for one in found.verdicts]
    assert found.counts.total() == len(whole)
    assert found.nodes == len(NODES)
    assert {one.check for one in found.verdicts if one.target == "train-004"} >= {
        "gpu.row_remap",
        "peers.gpu_temperature",
    }


class UnsendableError(Exception):
    """An exception that cannot be made again from its words."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} {two}")


@pytest.mark.parametrize("crash", [ZeroDivisionError("no"), UnsendableError(1, 2)])
def test_a_crash_in_one_part_is_said_of_every_node(folder, crash, monkeypatch) -> None:
    def takes(seen):
        if seen.devices[3].row_remap_pending:
            raise crash
        return seen

    monkeypatch.setattr(fleet_judgement, "NODES_AT_A_TIME", 4)
    check = judge.load_checks()["peers.gpu_temperature"]
    assert isinstance(check, FleetCheck)
    found = fleet_judgement.judge_store(
        folder,
        build.site_design(),
        build.limit_table(),
        {"peers.one": replace(check, takes=takes)},
        passes=False,
        processes=2,
    )
    assert found.counts == {Outcome.INCONCLUSIVE: len(NODES)}
    assert all("check peers.one crashed, " in one.says for one in found.verdicts)


def test_without_evidence_it_says_what_to_run(tmp_path) -> None:
    with pytest.raises(UsageError, match="rackwright collect"):
        fleet_judgement.judge_store(tmp_path / "none", build.site_design(), build.limit_table(), {}, passes=False)
