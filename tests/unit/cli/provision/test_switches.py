from __future__ import annotations

import json
from pathlib import Path

import pytest

from rackwright.cli import main
from rackwright.flow import switch_sessions
from rackwright.model.resource import DeclaredSwitch
from tests.unit.configure.nvue_stand_in import NvueStandIn
from tests.unit.configure.switch_server import serving

SITE = Path(__file__).parents[3] / "sites" / "h100-roce.yaml"
LEAVES = [f"compute-leaf-0{number}" for number in (1, 2, 3)]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.yaml"
    path.write_text(SITE.read_text().replace("control:\n", "control:\n  ssh: {switch_user: admin}\n"))
    return path


def test_nobody_logs_in_to_switches_of_a_site_without_an_account_on_them(tmp_path, capsys):
    assert main.main(["switches", str(SITE), "--fabric", "compute", "--work", str(tmp_path / "work")]) == 2
    assert "declare control.ssh.switch_user" in capsys.readouterr().err


def test_switches_that_the_site_does_not_have_are_named(site, tmp_path, capsys):
    call = ["switches", str(site), "--fabric", "compute", "--work", str(tmp_path / "work")]
    assert main.main([*call, "--switch", "leaf-1"]) == 2
    assert "--switch leaf-1: switches are called compute-leaf-01 to compute-spine-" in capsys.readouterr().err


def test_nothing_follows_a_wave_in_which_a_switch_failed(site, tmp_path, capsys, monkeypatch):
    switches = {name: NvueStandIn({}, model="MSN5600-RS2FC") for name in LEAVES}
    switches[LEAVES[1]].rejects = "rs"
    with serving(tmp_path) as server:

        def connector(design, access):
            def connect(required: DeclaredSwitch):
                server.switch = switches[required.name]
                here = required.model_copy(update={"address": "127.0.0.1"})
                return switch_sessions.with_account(server.access, server.port)(here)

            return connect

        monkeypatch.setattr(switch_sessions, "connector", connector)
        call = ["switches", str(site), "--fabric", "compute", "--work", str(tmp_path / "work"), "--apply"]
        assert main.main([*call, "--switch", ",".join(LEAVES), "--format", "json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert [(entry["name"], entry["outcome"]) for entry in printed["switches"]] == [
        (LEAVES[0], "applied"),
        (LEAVES[1], "refused"),
    ]
    assert (switches[LEAVES[1]].applied, switches[LEAVES[2]].log) == ({}, [])
    stored = Path(printed["stored"]) / LEAVES[0]
    assert sorted(path.name for path in stored.iterdir()) == ["after-running.yaml", "before-running.yaml", "lines.txt"]
    assert stored.joinpath("lines.txt").read_text().startswith("# applied: \n+ ")
    assert stored.joinpath("lines.txt").stat().st_mode & 0o777 == 0o600
