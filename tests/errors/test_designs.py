"""Sites that are sound on paper and bad as a design: each gives exactly one finding or one problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.base.errors import ProblemsError

FOLDER = Path(__file__).parent / "designs"
SITES = sorted(FOLDER.glob("*.yaml"))


def sentences(file: Path) -> list[str]:
    """Every problem, or else every rule that fails."""
    try:
        loaded = spec.load(file)
        try:
            expanded = design.expand(loaded.site, loaded.catalog)
        except ProblemsError as error:
            raise loaded.located(error.problems) from error
    except ProblemsError as error:
        return [f"{problem}\n".replace(f"{FOLDER}/", "") for problem in error.problems]
    failed = [verdict for verdict in design.rules.run_rules(expanded) if verdict.outcome == "fail"]
    return [
        f"FAIL {verdict.check} {verdict.target}: {verdict.says}\n    next: {verdict.next_step}\n" for verdict in failed
    ]


@pytest.mark.parametrize("file", SITES, ids=lambda file: file.stem)
def test_one_finding(file: Path, golden):
    text = sentences(file)
    assert len(text) == 1, "".join(text)
    golden(file.with_suffix(".txt"), text[0])


def test_no_golden_file_without_a_site():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {path.stem for path in SITES}
