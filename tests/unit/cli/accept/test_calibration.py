"""A server for which nobody has published limits, from its first runs to a verdict by limits of its own."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.cli.main import main
from rackwright.collect import Store
from rackwright.twin import tools
from rackwright.twin.campaign import Stage
from rackwright.twin.hardware.performance import groups
from tests.matrix import walk

SERVER = "dgx-a100"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site that declares a calibration, and three runs of load tests of four of its nodes."""
    folder = tmp_path_factory.mktemp("site")
    _, stage = walk.sized_stage(SERVER, "slurm", folder)
    for seed in range(3):
        _write_run(Store(folder / "evidence"), stage, seed)
    site = yaml_text.load((folder / "site.yaml").read_text())
    site["acceptance"]["calibrations"] = [{"server": SERVER, "nodes": 4, "runs": 3, "signed_by": "A. Engineer"}]
    site["site_folder"] = "own"
    (folder / "own" / "validators" / "limits").mkdir(parents=True)
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    return folder


def _write_run(store: Store, stage: Stage, seed: int) -> None:
    state, plan = replace(stage.healthy, seed=seed), stage.plans[True]
    grouped, together = groups.outputs(stage.design, state, stage.machines)
    outputs = [*tools.plan_outputs(stage.design, state, plan, load=True), *together]
    owed = {
        node: [*dict.fromkeys([*(ask.collector for ask in plan.asks.get(node, ())), *grouped.get(node, ())])]
        for node in stage.nodes
    }
    header = {"site": stage.design.site.site, "purpose": "load", "owed": owed, "adapters": {}}
    with store.begin(header, datetime.fromisoformat(walk.TAKEN) + timedelta(minutes=seed)) as run:
        for output in outputs:
            run.add(output)


def call(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main([*argv])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_a_new_server_comes_to_a_verdict_by_limits_of_its_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site, evidence, limits = (
        str(folder),
        str(folder / "evidence"),
        folder / "own" / "validators" / "limits" / "own.yaml",
    )
    judge = ["judge", site, "--evidence", evidence]
    _, before, _ = call(capsys, *judge)
    assert "no limit for collective.busbw_gbytes_per_s all_gather over p2p on dgx-a100" in before
    _, _, says = call(capsys, *judge, "--learn", str(folder / "new.yaml"), "--calibrate", SERVER)
    assert "4 calibrated limits in" in says
    shutil.copy(folder / "new.yaml", limits)
    _, after, _ = call(capsys, *judge)
    assert "no limit for collective.busbw_gbytes_per_s" not in after
    assert call(capsys, "check", site)[0] == 0

    limits.write_text((folder / "new.yaml").read_text().replace("signed_by: A. Engineer", "signed_by: somebody"))
    code, _, refused = call(capsys, "check", site)
    assert code == 1
    assert "does not count: somebody signed it, and not A. Engineer" in refused
    _, lapsed, _ = call(capsys, *judge)
    assert "its calibration does not count: somebody signed it" in lapsed
