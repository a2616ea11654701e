"""Sites that are sound on paper and bad as a design: each is told in exactly one finding, or one problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.base.errors import ProblemsError

FOLDER = Path(__file__).parent / "designs"
SITES = sorted(FOLDER.glob("*.yaml"))


def said(file: Path) -> list[str]:
    """Every problem, or else every rule that fails."""
    try:
        loaded = spec.load(file)
        try:
            made = design.expand(loaded.site, loaded.catalog)
        except ProblemsError as error:
            raise loaded.located(error.problems) from error
    except ProblemsError as error:
        return [f"{problem}\n".replace(f"{FOLDER}/", "") for problem in error.problems]
    failed = [one for one in design.rules.run(made) if one.outcome == "fail"]
    return [f"FAIL {one.check} {one.target}: {one.says}\n    next: {one.next_step}\n" for one in failed]


@pytest.mark.parametrize("file", SITES, ids=lambda file: file.stem)
def test_one_finding(file: Path, golden):
    found = said(file)
    assert len(found) == 1, "".join(found)
    golden(file.with_suffix(".txt"), found[0])


def test_no_golden_file_without_a_site():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {path.stem for path in SITES}
