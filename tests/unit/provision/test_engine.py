from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rackwright.base.errors import OutsideError
from rackwright.provision import engine


def _program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    return tmp_path


def test_the_order_of_places(home: Path) -> None:
    assert engine.find_engine() is None
    cached = _program(engine.cache_folder() / "bin" / "pulumi")
    assert engine.find_engine() == cached
    on_path = _program(home / "path" / "pulumi")
    assert engine.find_engine() == on_path


def test_no_engine_says_what_to_do(home: Path) -> None:
    with pytest.raises(OutsideError, match="run `make setup`"):
        engine.require_engine()


def test_a_launcher_is_written_and_renewed(home: Path) -> None:
    launcher = engine.install_language_host(home / "engine")
    assert launcher == home / "engine" / "pulumi-language-python"
    assert subprocess.run(["/bin/sh", "-n", launcher], check=False).returncode == 0
    launcher.write_text(f"#!/bin/sh\n{engine.MARK}\nexec old\n")
    engine.install_language_host(home / "engine")
    assert "rackwright.provision.language_host" in launcher.read_text()
    assert launcher.stat().st_mode & 0o111
    assert "-m pulumi.policy" in (home / "engine" / engine.POLICY_HOST).read_text()


def test_a_real_language_host_is_left_alone(home: Path) -> None:
    real = _program(home / "engine" / "pulumi-language-python", "the real one")
    assert engine.install_language_host(home / "engine") == real
    assert real.read_text() == "the real one"
    on_path = _program(home / "path" / "pulumi-language-python", "on path")
    _program(home / "path" / engine.POLICY_HOST, "on path")
    assert engine.install_language_host(home / "other") == on_path
    assert not (home / "other").exists()
