"""A site with evidence in a store, and its signed handover, for tests of what a signature covers."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rackwright import collect
from rackwright.cli import site_job
from rackwright.cli.main import main
from rackwright.collect.collector import library
from rackwright.collect.store import record_cache
from rackwright.flow import ssh_runner
from rackwright.model.times import parse_time
from rackwright.twin import faults, tools
from rackwright.twin.hardware.state import build as build_state
from tests import build
from tests.computed_once import draw_once
from tests.unit.gate.test_scheduler import Slurm

SITE = str(build.EXAMPLE)

NODES = ["train-001", "train-002"]

MACHINES = [*NODES, "slurm-01", "ufm-01"]


def fill(folder: Path, moment: datetime, twin: str = "", fault: str = "") -> None:
    """Evidence of machines, as one run would have brought it: healthy, or with a fault of the first node."""
    design = build.site_design()
    injected = faults.assign_nodes([fault], NODES[:1]) if fault else []
    plan, outputs = tools.outputs(
        design, faults.apply_faults(build_state(design, MACHINES, seed=1), injected), MACHINES
    )
    header = {"owed": {node: list(owed) for node, owed in plan.owed.items()}, "adapters": plan.adapters}
    store = collect.Store(folder, twin)
    with store.begin(header, moment) as run:
        for output in outputs:
            run.add(output)
        record_cache.keep(store, run, library())


@pytest.fixture(scope="session")
def evidence(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("store") / "evidence"
    fill(folder, datetime(2026, 11, 21, 9, tzinfo=UTC))
    return folder


@pytest.fixture
def cluster(monkeypatch) -> None:
    """A site with evidence, an hour later: its credentials, and Slurm at the other end of the SSH connection."""
    outside(monkeypatch)


def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_once(monkeypatch)
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "user")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "hunter22")
    monkeypatch.setattr(site_job, "now", lambda: parse_time("2026-11-21T10:00:00+00:00"))
    slurm = Slurm(dict.fromkeys(NODES, ("IDLE+DRAIN", "rackwright: new")))
    monkeypatch.setattr(
        ssh_runner, "runner", lambda _access, _address: lambda argv: slurm(argv) if argv[0] != "srun" else (0, "", "")
    )


@pytest.fixture
def work(evidence: Path, tmp_path: Path, monkeypatch, cluster) -> Path:
    """A workspace with evidence and a key: nothing is judged."""
    return prepare(evidence, tmp_path, monkeypatch)


def prepare(evidence: Path, work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(evidence, work / "evidence")
    assert main(["keygen", str(work / "key")]) == 0
    monkeypatch.setenv("RACKWRIGHT_SIGNING_KEY", str(work / "key"))
    return work


@pytest.fixture(scope="session")
def signed_once(evidence: Path, tmp_path_factory) -> Path:
    """A workspace where `gate --sign` ran: every test that begins with it gets a copy."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as monkeypatch, redirect_stdout(printed), redirect_stderr(printed):
        outside(monkeypatch)
        work = prepare(evidence, tmp_path_factory.mktemp("signed"), monkeypatch)
        main(["gate", SITE, "--work", str(work), "--nodes", ",".join(NODES), "--sign"])
    # In one line: a report that shows only the first line of an error still says why nothing was signed.
    assert "signed by key" in printed.getvalue(), " | ".join(printed.getvalue().splitlines()[-12:])
    return work


@pytest.fixture
def handed_over(signed_once: Path, tmp_path: Path, monkeypatch, cluster) -> Path:
    """A workspace of its own with a signed handover."""
    shutil.copytree(signed_once, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("RACKWRIGHT_SIGNING_KEY", str(tmp_path / "key"))
    return tmp_path


def call(capsys, *argv: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(list(argv))
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def signed(capsys, work: Path) -> Path:
    _, text = call(capsys, "gate", SITE, "--work", str(work), "--nodes", ",".join(NODES), "--sign")
    assert "signed by key" in text, text
    return newest_bundle(work)


def verify(capsys, folder: Path, *argv: str) -> tuple[int, str]:
    """Verify a bundle of a workspace by the key of the workspace."""
    return call(capsys, "verify", str(folder), "--key", str(folder.parents[1] / "key.pub"), *argv)


def newest_bundle(work: Path) -> Path:
    """The bundle that was signed last."""
    return max((work / "handover").glob("[!.]*"), key=lambda path: path.stat().st_mtime_ns)


def forged(work: Path, forge: Callable[[dict], object]) -> None:
    """Edit ``judgement.json`` of a workspace."""
    path = work / "report" / "judgement.json"
    judgement = json.loads(path.read_text())
    forge(judgement)
    path.write_text(json.dumps(judgement))
