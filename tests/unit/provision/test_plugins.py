from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rackwright.provision import plugins


def program(path: Path, text: str = "#!/bin/sh\necho official\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def _nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PULUMI_HOME", str(tmp_path / "home"))


def test_without_the_official_plugin_ours_is_written_where_only_our_engine_looks(tmp_path: Path) -> None:
    ours = plugins.install_kubernetes_plugin(tmp_path / "private")
    assert ours == tmp_path / "private" / plugins.PLUGIN
    done = subprocess.run([ours], capture_output=True, text=True, check=False, env={"PATH": os.defpath})
    assert done.returncode == 2
    assert "started by the Pulumi engine" in done.stderr


def test_the_official_plugin_wins_on_path_and_then_the_newest_installed_one(tmp_path: Path) -> None:
    for version in ("v4.9.1", "v4.34.2", "v4.30.0"):
        program(tmp_path / "home" / "plugins" / f"resource-kubernetes-{version}" / plugins.PLUGIN)
    assert "v4.34.2" in str(plugins.install_kubernetes_plugin(tmp_path / "private"))
    on_path = program(tmp_path / "bin" / plugins.PLUGIN)
    assert plugins.install_kubernetes_plugin(tmp_path / "private") == on_path
    assert not (tmp_path / "private").exists()


def test_ours_on_path_is_not_taken_for_the_official_one(tmp_path: Path) -> None:
    plugins.install_kubernetes_plugin(tmp_path / "bin")
    assert plugins.official_plugin() is None
