from __future__ import annotations

import pytest

from rackwright import judge
from rackwright.base import content
from rackwright.base.errors import ProblemsError

CHECK = """
from rackwright.model.check import Check
from rackwright.model.evidence.bmc import BmcEvidence

CHECK = Check(reads=BmcEvidence, judge=lambda expectation, record: None)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "validators" / "checks" / "gpu").mkdir(parents=True)
    monkeypatch.setattr(content, "root", lambda: tmp_path)
    return tmp_path / "validators" / "checks" / "gpu"


def test_the_path_is_the_id() -> None:
    checks = judge.load_checks()
    assert "gpu.row_remap" in checks
    assert list(checks) == sorted(checks)
    assert len(checks) >= 15


@pytest.mark.parametrize("text", ["", "CHECK = 7", "check = None"])
def test_a_file_without_a_check_is_refused(folder, text: str) -> None:
    (folder / "odd.py").write_text(text)
    with pytest.raises(ProblemsError, match="defines no CHECK") as caught:
        judge.load_checks()
    [problem] = caught.value.problems
    assert problem.place.endswith("odd.py:1")
    assert (problem.path, problem.message, problem.code) == ("CHECK", "the file defines no CHECK", "judge.no_check")
    assert (
        problem.expected == "a last line `CHECK = Check(...)`, `CHECK = FleetCheck(...)` or `CHECK = PlantCheck(...)`"
    )
    assert problem.found == ("int" if "7" in text else "NoneType")
    assert problem.next_step == "write the line, or move the file out of validators/checks"


def test_a_file_that_does_not_load_is_refused(folder) -> None:
    (folder / "odd.py").write_text("import no_such_module")
    with pytest.raises(ProblemsError, match="no_such_module"):
        judge.load_checks()


@pytest.mark.parametrize("page", [None, "", "# gpu.odd", "# gpu.odd: "])
def test_a_check_without_a_title_is_refused(folder, page: str | None) -> None:
    (folder / "odd.py").write_text(CHECK)
    if page is not None:
        (folder / "odd.md").write_text(page)
    with pytest.raises(ProblemsError, match="the check has no title") as caught:
        judge.load_checks()
    [problem] = caught.value.problems
    assert problem.place.endswith("odd.md:1")
    assert (problem.path, problem.found, problem.code) == ("", "no such line", "judge.no_title")
    assert problem.expected == "a page whose first line is `# gpu.odd: <title>`"
    assert problem.next_step == "write the page of the check"


def test_the_title_is_the_first_line_of_the_page(folder) -> None:
    (folder / "odd.py").write_text(CHECK)
    (folder / "odd.md").write_text("# gpu.odd: A title: in two parts\n\n## Claim\n")
    assert judge.load_checks()["gpu.odd"].title == "A title: in two parts"
