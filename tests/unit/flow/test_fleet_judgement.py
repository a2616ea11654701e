from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import judge
from rackwright.base.errors import UsageError
from rackwright.flow import fleet_judgement, stored_evidence
from rackwright.model.check import FleetCheck
from rackwright.model.node_verdicts import by_target
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
    expected = judge.judge_evidence(design, stored_evidence.recall(folder, design, limits).nodes, checks, limits)
    part = fleet_judgement.judge_store(folder, design, limits, checks, passes=False, processes=processes)
    every = fleet_judgement.judge_store(folder, design, limits, checks, passes=True, processes=processes)
    assert list(every.verdicts) == expected
    assert every.counts == part.counts
    assert list(part.verdicts) == [verdict for verdict in expected if verdict.outcome != Outcome.PASS]
    assert list(part.sentences) == [
        (verdict.outcome, verdict.check, verdict.target, verdict.says) for verdict in part.verdicts
    ]
    assert part.by_target == by_target(expected)
    assert part.counts.total() == len(expected)
    assert part.nodes == len(NODES)
    assert {verdict.check for verdict in part.verdicts if verdict.target == "train-004"} >= {
        "gpu.row_remap",
        "peers.gpu_temperature",
    }


class UnsendableError(Exception):
    """An exception that cannot be made again from its words."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} {second}")


@pytest.mark.parametrize("crash", [ZeroDivisionError("no"), UnsendableError(1, 2)])
def test_a_crash_in_one_part_is_said_of_every_node(folder, crash, monkeypatch) -> None:
    def takes(accelerators):
        if accelerators.devices[3].row_remap_pending:
            raise crash
        return accelerators

    monkeypatch.setattr(fleet_judgement, "NODES_AT_A_TIME", 4)
    check = judge.load_checks()["peers.gpu_temperature"]
    assert isinstance(check, FleetCheck)
    judgement = fleet_judgement.judge_store(
        folder,
        build.site_design(),
        build.limit_table(),
        {"peers.one": replace(check, takes=takes)},
        passes=False,
        processes=2,
    )
    assert judgement.counts == {Outcome.INCONCLUSIVE: len(NODES)}
    assert all("check peers.one crashed, " in verdict.says for verdict in judgement.verdicts)


def test_without_evidence_it_says_what_to_run(tmp_path) -> None:
    with pytest.raises(UsageError, match="rackwright collect"):
        fleet_judgement.judge_store(tmp_path / "none", build.site_design(), build.limit_table(), {}, passes=False)
