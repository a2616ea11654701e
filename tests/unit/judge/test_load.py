from __future__ import annotations

import pytest

from rackwright import judge
from rackwright.base import content
from rackwright.base.errors import ProblemsError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "validators" / "checks" / "gpu").mkdir(parents=True)
    monkeypatch.setattr(content, "root", lambda: tmp_path)
    return tmp_path / "validators" / "checks" / "gpu"


def test_the_path_is_the_id() -> None:
    checks = judge.checks()
    assert "gpu.row_remap" in checks
    assert list(checks) == sorted(checks)
    assert len(checks) >= 15


@pytest.mark.parametrize("text", ["", "CHECK = 7", "check = None"])
def test_a_file_without_a_check_is_refused(folder, text: str) -> None:
    (folder / "odd.py").write_text(text)
    with pytest.raises(ProblemsError, match="leaves no check behind") as caught:
        judge.checks()
    assert caught.value.problems[0].place.endswith("odd.py")


def test_a_file_that_does_not_load_is_refused(folder) -> None:
    (folder / "odd.py").write_text("import no_such_module")
    with pytest.raises(ProblemsError, match="no_such_module"):
        judge.checks()
